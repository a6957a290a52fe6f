import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { migrations } from './migrations/index.ts';

/** Of the advisory lock that whoever migrates a database holds; any number will do, as long as it stays. */
const LOCK = 7_305_815_204_118_311n;
const WAIT_FOR_OTHERS = '10min';
/** A table that is in use must not be waited for any longer: everybody else would queue up behind. */
const WAIT_FOR_TABLES = '5s';

export const MIGRATION_TABLE = 'schema_migration';

/** Brings the schema up to date, all steps or none. Resolves to the names of the steps that it took. */
export async function migrate(url: string): Promise<readonly string[]> {
  const lock = new pg.Client({ connectionString: url, keepAlive: true });
  await lock.connect();
  try {
    await lock.query(`set lock_timeout = '${WAIT_FOR_OTHERS}'`);
    await lock.query('select pg_advisory_lock($1)', [LOCK]);
    return await runMigrations(url);
  } finally {
    await lock.end();
  }
}

async function runMigrations(url: string): Promise<readonly string[]> {
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: { connectionString: url, max: 1, options: `-c lock_timeout=${WAIT_FOR_TABLES}` },
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      tableName: MIGRATION_TABLE,
      migrationsList: migrations,
      disableForeignKeys: false,
      snapshot: false,
      silent: true,
    },
  });
  try {
    const steps = await orm.migrator.up();
    return steps.map(({ name }) => name);
  } finally {
    await orm.close();
  }
}
