import { createHash } from 'node:crypto';
import { compareMigrations, type SchemaState } from '@plugin-config/domain';
import type { ClickHouse } from '../server/clickhouse.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { MIGRATION_TABLE } from './tables.ts';

const LIMITS = { timeLimitMs: 2_000 };
const TABLE = `select 1 from system.tables where database = currentDatabase() and name = '${MIGRATION_TABLE}'`;
const APPLIED = `select name, checksum from ${MIGRATION_TABLE} final order by name`;

export async function schemaState(clickHouse: ClickHouse): Promise<SchemaState> {
  const past = await pastMigrations(clickHouse);
  const own = migrations.map((migration) => ({ name: migration.name, checksum: checksumOf(migration) }));
  return compareMigrations('The schema of ClickHouse', own, past);
}

/** Returns the checksum of a migration's statements for a single server. */
export function checksumOf({ statements }: Migration): string {
  return createHash('sha256')
    .update(JSON.stringify(statements(null)))
    .digest('hex');
}

async function pastMigrations({ select }: ClickHouse) {
  const [table] = await select(TABLE, {}, LIMITS);
  if (table === undefined) return [];
  const rows = await select(APPLIED, {}, LIMITS);
  return rows.map(([name, checksum]) => ({ name: String(name), checksum: String(checksum) }));
}
