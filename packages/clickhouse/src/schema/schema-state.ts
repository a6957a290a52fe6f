import { createHash } from 'node:crypto';
import { migrationsProblem, type PastMigration } from '@plugin-config/domain';
import type { ClickHouse } from '../server/clickhouse.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { MIGRATION_TABLE } from './tables.ts';

const LIMITS = { timeLimitMs: 2_000 };
const COLUMNS = `select name from system.columns where database = currentDatabase() and table = '${MIGRATION_TABLE}'`;

export interface SchemaState {
  /** The migrations that the code needs and the server lacks. */
  readonly missing: readonly string[];
  /** Why no migration of this code makes the server fit; null if they do. */
  readonly problem: string | null;
}

export async function schemaState(clickHouse: ClickHouse): Promise<SchemaState> {
  const past = await pastMigrations(clickHouse);
  const names = new Set(past.map(({ name }) => name));
  const own = migrations.map((migration) => ({ name: migration.name, checksum: checksumOf(migration) }));
  return {
    missing: own.map(({ name }) => name).filter((name) => !names.has(name)),
    problem: migrationsProblem('The schema of ClickHouse', own, past),
  };
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
