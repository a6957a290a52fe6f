import { compareMigrations, type SchemaState } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { FUNCTIONS_CHECKSUM, migrations } from './sql-files.ts';

export const MIGRATION_TABLE = 'schema_migration';

/** Looks in the first schema of the search path, like `migrate`. */
const HAS_MIGRATION_TABLE: Statement = {
  name: 'has_migration_table',
  text: `select to_regclass(format('%I.%I', current_schema(), $1::text)) is not null`,
  timeoutMs: 2_000,
};

/** Reads the columns from JSON, since a failed first migration leaves an empty table without them. */
const APPLIED: Statement = {
  name: 'applied_migrations',
  text: `select m.name, to_jsonb(m) ->> 'checksum', to_jsonb(m) ->> 'functions' from ${MIGRATION_TABLE} m order by m.id`,
  timeoutMs: 2_000,
};

export async function schemaState({ pool }: Pick<Database, 'pool'>): Promise<SchemaState> {
  const applied = await appliedMigrations(pool);
  const last = applied.at(-1)?.name;
  // Any migration may change functions, so only compare them if the last migration of this code is the last applied one.
  const hasFunctions = (name: string): boolean => name === last && name === migrations.at(-1)?.name;
  const own = migrations.map(({ name, checksum }) => ({
    name,
    checksum: hasFunctions(name) ? withFunctions(checksum, FUNCTIONS_CHECKSUM) : checksum,
  }));
  const past = applied.map(({ functions, ...step }) =>
    hasFunctions(step.name) ? { ...step, checksum: withFunctions(step.checksum, functions) } : step,
  );
  return compareMigrations('The schema of the database', own, past);
}

function withFunctions(checksum: string, functions: string): string {
  return `${checksum}/${functions}`;
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
  /** The checksum of all functions after the migration. */
  readonly functions: string;
}

async function appliedMigrations(pool: Database['pool']): Promise<readonly Applied[]> {
  const [found] = await run(pool, HAS_MIGRATION_TABLE, [MIGRATION_TABLE]);
  if (found?.[0] !== 't') return [];
  const rows = await run(pool, APPLIED, []);
  return rows.map(([name, checksum, functions]) => ({
    name: String(name),
    checksum: String(checksum),
    functions: String(functions),
  }));
}
