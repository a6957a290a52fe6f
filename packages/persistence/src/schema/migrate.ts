import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { withMigrationLock, type LockOptions } from './migration-lock.ts';
import { FUNCTIONS, FUNCTIONS_CHECKSUM, migrations } from './sql-files.ts';
import { missingCreateRight } from '../postgres/missing-create-right.ts';
import { MIGRATIONS } from './orm-options.ts';
import { MIGRATION_TABLE, schemaState } from './schema-state.ts';
import { compatibilityProblem } from '../postgres/compatibility-problem.ts';

/** The limit of the wait for a lock: all others would queue up behind the migration. */
const WAIT_FOR_TABLES = '5s';
/** Disables the check of function bodies: functions are loaded before the steps that make the tables they name. */
const SESSION = `set lock_timeout = '${WAIT_FOR_TABLES}'; set check_function_bodies = off`;
const CONNECT_TIMEOUT = 10_000;

/** The table of the ORM has the names alone. */
const ADD_COLUMNS = `alter table ${MIGRATION_TABLE}
  add column if not exists checksum text, add column if not exists functions text`;
const NOTE = `update ${MIGRATION_TABLE} set checksum = ?, functions = ? where name = ?`;

/**
 * Applies all missing migrations or none, in the first schema of the search path. Resolves to their names.
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
    const reason = (await compatibilityProblem({ pool })) ?? (await whyReadOnly(pool));
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

async function whyReadOnly(pool: pg.Pool): Promise<string | null> {
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
      const taken = new Set(steps.map(({ name }) => name));
      await connection.execute(ADD_COLUMNS, [], 'run', transaction);
      for (const migration of migrations.filter(({ name }) => taken.has(name))) {
        const note = [migration.checksum, FUNCTIONS_CHECKSUM, migration.name];
        await connection.execute(NOTE, note, 'run', transaction);
      }
      return [...taken];
    });
  } finally {
    await orm.close();
  }
}
