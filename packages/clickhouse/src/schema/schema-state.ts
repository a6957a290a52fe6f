import { createHash } from 'node:crypto';
import { compareMigrations, type PastMigration, type SchemaState } from '@plugin-config/domain';
import type { ClickHouse } from '../server/clickhouse.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { MIGRATION_TABLE } from './tables.ts';

const LIMITS = { timeLimitMs: 2_000 };
const COLUMNS = `select name from system.columns where database = currentDatabase() and table = '${MIGRATION_TABLE}'`;

export async function schemaState(clickHouse: ClickHouse): Promise<SchemaState> {
  const past = await pastMigrations(clickHouse);
  const own = migrations.map((migration) => ({ name: migration.name, checksum: checksumOf(migration) }));
  return compareMigrations('The schema of ClickHouse', own, past);
}

/** The checksum of what a migration does on a single server. */
export function checksumOf({ statements }: Migration): string {
  return createHash('sha256')
    .update(JSON.stringify(statements(null)))
    .digest('hex');
}

async function pastMigrations({ select }: ClickHouse): Promise<readonly PastMigration[]> {
  const columns = (await select(COLUMNS, {}, LIMITS)).flat();
  if (columns.length === 0) return [];
  // The tables of unreleased versions had the names alone.
  const noted = columns.includes('checksum') ? 'checksum, oldest_code' : `'', ''`;
  const rows = await select(`select name, ${noted} from ${MIGRATION_TABLE} final`, {}, LIMITS);
  return rows.map(([name, checksum, oldestCode]) => ({
    name: String(name),
    checksum: String(checksum),
    oldestCode: String(oldestCode),
  }));
}
