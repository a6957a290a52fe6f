import { compareMigrations, type SchemaState } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { compatibilityProblem } from '../postgres/compatibility-problem.ts';
import { missingRight } from './missing-right.ts';
import { FUNCTIONS_CHECKSUM, MIGRATION_TABLE, migrations } from './sql-files.ts';

/** Returns why this code cannot work with the schema of the database and what to do about it; null if it can. */
export async function schemaProblem(database: Pick<Database, 'pool'>): Promise<string | null> {
  const right = await missingRight(database);
  if (right !== null) return right;
  const { missing, problem } = await schemaState(database);
  if (problem !== null || missing.length === 0) return problem;
  return 'The schema of the database is older than this code: update it with npm run --silent cli -- migrate';
}

/** Returns why this code cannot work with the database and what to do about it; null if it can. */
export async function databaseProblem(database: Pick<Database, 'pool'>): Promise<string | null> {
  return (await compatibilityProblem(database)) ?? schemaProblem(database);
}

/** Looks in the first schema of the search path, like `migrate`. */
const HAS_MIGRATION_TABLE: Statement = {
  name: 'has_migration_table',
  text: `select to_regclass(format('%I.%I', current_schema(), $1::text)) is not null`,
  timeoutMs: 2_000,
};

const APPLIED: Statement = {
  name: 'applied_migrations',
  text: `select m.name, m.checksum, m.functions from ${MIGRATION_TABLE} m order by m.id`,
  timeoutMs: 2_000,
};

export async function schemaState({ pool }: Pick<Database, 'pool'>): Promise<SchemaState> {
  const applied = await appliedMigrations(pool);
  // Any migration may change functions, so only compare them if the last migration of this code is the last applied one.
  const last = migrations.length === applied.length ? applied.at(-1) : undefined;
  const past = applied.map((step) =>
    step === last && step.functions !== FUNCTIONS_CHECKSUM ? { ...step, checksum: step.functions } : step,
  );
  return compareMigrations('The schema of the database', migrations, past);
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
