import type { Database } from '../postgres/database.ts';
import { MIGRATION_TABLE } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The schema of `migrate`: the first one of the search path. */
const KNOWS_MIGRATIONS: Statement = {
  name: 'knows_migrations',
  text: `select to_regclass(format('%I.%I', current_schema(), $1::text)) is not null`,
};

const PING: Statement = {
  name: 'ping',
  text: `select current_setting('transaction_read_only')`,
  timeoutMs: 2_000,
};

/** The migrations that the code needs and the database lacks; none if the database is ahead of the code. */
export async function missingMigrations({ pool }: Pick<Database, 'pool'>): Promise<readonly string[]> {
  const [known] = await run(pool, KNOWS_MIGRATIONS, [MIGRATION_TABLE]);
  if (known?.[0] !== 't') return migrations.map(({ name }) => name);
  const taken = await run(pool, { name: 'migrations', text: `select name from ${MIGRATION_TABLE}` }, []);
  const names = new Set(taken.map(([name]) => name));
  return migrations.map(({ name }) => name).filter((name) => !names.has(name));
}

/** Whether the database accepts writes. @throws DomainError `unavailable` if it does not answer */
export async function isWritable({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const [row] = await run(pool, PING, []);
  return row?.[0] === 'off';
}
