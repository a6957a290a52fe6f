import pg from 'pg';
import { compatibilityProblem } from '../postgres/compatibility-problem.ts';
import { missingCreateRight } from '../postgres/missing-create-right.ts';
import { withMigrationLock, type LockOptions } from './migration-lock.ts';
import { schemaState } from './schema-problem.ts';
import { FUNCTIONS, FUNCTIONS_CHECKSUM, MIGRATION_TABLE, migrations } from './sql-files.ts';

/** Limits the wait for a lock, since other sessions queue behind the migration. */
const LOCK_TIMEOUT = '5s';
const CONNECT_TIMEOUT = 10_000;

/**
 * The table has the columns of MikroORM, and two for checksums. The check of function bodies is disabled, since functions are
 * created before the tables that they use.
 */
const BEFORE = `set local lock_timeout = '${LOCK_TIMEOUT}'; set local check_function_bodies = off;
create table if not exists ${MIGRATION_TABLE} (
  id serial primary key, name text not null, executed_at timestamptz not null default now(),
  checksum text not null, functions text not null
)`;
const STORE = `insert into ${MIGRATION_TABLE} (name, checksum, functions) values ($1, $2, $3)`;

/**
 * Applies all missing migrations, or none of them, in the first schema of the search path. Resolves to their names.
 * @throws Error if the service cannot work with the database
 */
export async function migrate(url: string, options: LockOptions = {}): Promise<readonly string[]> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'plugin-config-migrate',
    max: 2,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
  });
  pool.on('error', () => {});
  try {
    const reason = (await compatibilityProblem({ pool })) ?? (await readOnlyProblem(pool));
    if (reason !== null) throw new Error(reason);
    return await withMigrationLock(pool, options, async (client) => {
      const { missing, problem } = await schemaState({ pool });
      if (problem !== null) throw new Error(problem);
      if (missing.length === 0) return [];
      const right = await missingCreateRight({ pool });
      if (right !== null) throw new Error(right);
      for (const text of [BEFORE, ...FUNCTIONS]) await client.query(text);
      for (const { name, text, checksum } of migrations.filter((each) => missing.includes(each.name))) {
        await client.query(text);
        await client.query(STORE, [name, checksum, FUNCTIONS_CHECKSUM]);
      }
      return missing;
    });
  } finally {
    await pool.end();
  }
}

async function readOnlyProblem(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ readonly transaction_read_only: string }>('show transaction_read_only');
  return rows[0]?.transaction_read_only === 'on'
    ? 'The database cannot be written to (it is a standby, or default_transaction_read_only is on): connect to the primary.'
    : null;
}
