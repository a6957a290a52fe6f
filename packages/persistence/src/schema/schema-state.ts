import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { checksumOf, FUNCTIONS_CHECKSUM } from './migrations/checksums.ts';
import { migrations } from './migrations/index.ts';

export const MIGRATION_TABLE = 'schema_migration';

/** The schema of `migrate`: the first one of the search path. */
const KNOWS_MIGRATIONS: Statement = {
  name: 'knows_migrations',
  text: `select to_regclass(format('%I.%I', current_schema(), $1::text)) is not null`,
  timeoutMs: 2_000,
};

/** By name: tables of unreleased versions had the names alone. */
const APPLIED: Statement = {
  name: 'applied_migrations',
  text: `select m.name, to_jsonb(m) ->> 'checksum', to_jsonb(m) ->> 'functions', to_jsonb(m) ->> 'oldest_code'
    from ${MIGRATION_TABLE} m order by m.id`,
  timeoutMs: 2_000,
};

interface Applied {
  readonly name: string;
  readonly checksum: string | null;
  /** The checksum of all functions after the migration. */
  readonly functions: string | null;
  readonly oldestCode: string | null;
}

export interface SchemaState {
  /** The migrations that the code needs and the database lacks. */
  readonly missing: readonly string[];
  /** Why no migration of this code makes the database fit; null if they do. */
  readonly problem: string | null;
}

const NAMES = migrations.map(({ name }) => name);

export async function schemaState({ pool }: Pick<Database, 'pool'>): Promise<SchemaState> {
  const applied = await appliedMigrations(pool);
  const names = new Set(applied.map(({ name }) => name));
  return { missing: NAMES.filter((name) => !names.has(name)), problem: problemOf(applied) };
}

async function appliedMigrations(pool: Database['pool']): Promise<readonly Applied[]> {
  const [known] = await run(pool, KNOWS_MIGRATIONS, [MIGRATION_TABLE]);
  if (known?.[0] !== 't') return [];
  const rows = await run(pool, APPLIED, []);
  return rows.map(([name, checksum = null, functions = null, oldestCode = null]) => {
    return { name: name ?? '', checksum, functions, oldestCode };
  });
}

function problemOf(applied: readonly Applied[]): string | null {
  const newer = applied.filter(({ name }) => !NAMES.includes(name));
  const unfit = newer.find(({ oldestCode }) => oldestCode === null || !NAMES.includes(oldestCode));
  if (unfit !== undefined) {
    return `The schema of the database is newer than this code (${unfit.name}): run the version that migrated it, or a newer one.`;
  }
  const changed = applied.find((step) => isChanged(step, newer.length === 0 && step === applied.at(-1)));
  if (changed === undefined) return null;
  return `The schema of the database was made by an unreleased version, whose migration ${changed.name} was another one: run that version, or use a new database.`;
}

/** Functions are compared after the last migration alone: each migration may change them. */
function isChanged({ name, checksum, functions }: Applied, isLast: boolean): boolean {
  const own = migrations.find((migration) => migration.name === name);
  if (own === undefined) return false;
  return checksum !== checksumOf(own) || (isLast && functions !== FUNCTIONS_CHECKSUM);
}
