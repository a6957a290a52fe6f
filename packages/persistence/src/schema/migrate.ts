import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { withMigrationLock, type LockOptions } from './migration-lock.ts';
import { FUNCTIONS, FUNCTIONS_CHECKSUM, migrations } from './sql-files.ts';
import { missingCreateRight } from '../postgres/missing-create-right.ts';
import { MIGRATIONS } from './orm-options.ts';
import { MIGRATION_TABLE, schemaState } from './schema-state.ts';
import { compatibilityProblem } from '../postgres/compatibility-problem.ts';

/** Limits the wait for a lock, since other sessions queue behind the migration. */
const LOCK_TIMEOUT = '5s';
/** Disables the check of function bodies, since functions are created before the tables that they use. */
const SESSION = `set lock_timeout = '${LOCK_TIMEOUT}'; set check_function_bodies = off`;
const CONNECT_TIMEOUT = 10_000;

/** The ORM's own table only has the names. */
const ADD_COLUMNS = `alter table ${MIGRATION_TABLE}
  add column if not exists checksum text, add column if not exists functions text`;
const STORE_CHECKSUMS = `update ${MIGRATION_TABLE} set checksum = ?, functions = ? where name = ?`;

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
    return await withMigrationLock(pool, options, async () => {
      const { missing, problem } = await schemaState({ pool });
      if (problem !== null) throw new Error(problem);
      if (missing.length === 0) return [];
      const right = await missingCreateRight({ pool });
      if (right !== null) throw new Error(right);
      return runMigrations(url, await schemaOf(pool));
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

async function schemaOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly schema: string }>('select current_schema() as schema');
  return rows[0]?.schema ?? 'public';
}

async function runMigrations(url: string, schema: string): Promise<readonly string[]> {
  const orm = await MikroORM.init({
    clientUrl: url,
    schema,
    driverOptions: {
      connectionString: url,
      max: 2,
      onConnect: (client: pg.ClientBase) => client.query(SESSION),
    },
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: { ...MIGRATIONS, silent: true },
  });
  try {
    const connection = orm.em.getConnection();
    return await connection.transactional(async (transaction) => {
      await connection.execute(FUNCTIONS.join('\n'), [], 'run', transaction);
      const steps = await orm.migrator.up({ transaction });
      const applied = new Set(steps.map(({ name }) => name));
      await connection.execute(ADD_COLUMNS, [], 'run', transaction);
      for (const migration of migrations.filter(({ name }) => applied.has(name))) {
        const parameters = [migration.checksum, FUNCTIONS_CHECKSUM, migration.name];
        await connection.execute(STORE_CHECKSUMS, parameters, 'run', transaction);
      }
      return [...applied];
    });
  } finally {
    await orm.close();
  }
}
