import type { ClickHouse } from '../server/clickhouse.ts';
import { compatibilityProblem } from './compatibility-problem.ts';
import { missingMigrations } from './missing-migrations.ts';
import { migrations } from './migrations/index.ts';
import { MIGRATION_TABLE } from './tables.ts';
import { onCluster } from '../server/names.ts';

/** Creating replicated tables waits for every host of the cluster. */
const LIMITS = { timeLimitMs: 60_000 };

/**
 * Runs the missing migrations. Resolves to their names.
 * @throws Error if the service cannot work with the server
 */
export async function migrate(clickHouse: ClickHouse): Promise<readonly string[]> {
  const reason = await compatibilityProblem(clickHouse);
  if (reason !== null) throw new Error(reason);
  await clickHouse.command(createMigrationTable(clickHouse.cluster), LIMITS);
  const missing = new Set(await missingMigrations(clickHouse));
  for (const { name, statements } of migrations) {
    if (!missing.has(name)) continue;
    for (const statement of statements(clickHouse.cluster)) await clickHouse.command(statement, LIMITS);
    await clickHouse.insert(MIGRATION_TABLE, ['name'], [[name]], LIMITS);
  }
  return [...missing];
}

/** Every host of a cluster has all rows. */
function createMigrationTable(cluster: string | null): string {
  const engine =
    cluster === null
      ? 'ReplacingMergeTree'
      : `ReplicatedReplacingMergeTree('/clickhouse/tables/{database}/${MIGRATION_TABLE}', '{shard}-{replica}')`;
  return `create table if not exists ${MIGRATION_TABLE}${onCluster(cluster)}
    (name String, executed_at DateTime DEFAULT now()) engine = ${engine} order by name`;
}
