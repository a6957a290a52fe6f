import type { ClickHouse } from '../server/clickhouse.ts';
import { compatibilityProblem } from './compatibility-problem.ts';
import { migrations } from './migrations/index.ts';
import { checksumOf, schemaState } from './schema-state.ts';
import { MIGRATION_TABLE } from './tables.ts';
import { onCluster } from '../server/names.ts';

/** Long, because creating replicated tables waits for every host of the cluster. */
const LIMITS = { timeLimitMs: 60_000 };

/**
 * Runs the missing migrations and returns their names.
 * @throws Error if the service cannot work with the server
 */
export async function migrate(clickHouse: ClickHouse): Promise<readonly string[]> {
  const reason = await compatibilityProblem(clickHouse);
  if (reason !== null) throw new Error(reason);
  await clickHouse.command(createMigrationTable(clickHouse.cluster), LIMITS);
  const { missing, problem } = await schemaState(clickHouse);
  if (problem !== null) throw new Error(problem);
  for (const migration of migrations.filter(({ name }) => missing.includes(name))) {
    const { name, statements } = migration;
    for (const statement of statements(clickHouse.cluster)) await clickHouse.command(statement, LIMITS);
    const row = [name, checksumOf(migration)];
    await clickHouse.insert(MIGRATION_TABLE, ['name', 'checksum'], [row], LIMITS);
  }
  return missing;
}

/** On a cluster, the table is replicated to every host. */
function createMigrationTable(cluster: string | null): string {
  const engine =
    cluster === null
      ? 'ReplacingMergeTree'
      : `ReplicatedReplacingMergeTree('/clickhouse/tables/{database}/${MIGRATION_TABLE}', '{shard}-{replica}')`;
  return `create table if not exists ${MIGRATION_TABLE}${onCluster(cluster)}
    (name String, executed_at DateTime DEFAULT now(), checksum String) engine = ${engine} order by name`;
}
