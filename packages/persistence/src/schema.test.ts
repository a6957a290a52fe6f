import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { rows } from './rows.ts';
import { missingMigrations } from './schema.ts';
import { withDatabase } from './testing/postgres-ports.fixture.ts';

const NAMES = migrations.map(({ name }) => name);

test('the migrated schema is the one that the metadata speaks of', () =>
  withDatabase(async ({ pool }, url) => {
    const { rows: tables } = await pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const mapped = new Set(rows.map((row) => row.meta.tableName));
    const skipTables = tables.map(({ name }) => name).filter((name) => !mapped.has(name));
    const schemaGenerator = { skipTables, ignoreRoutines: true, ignoreTriggers: true };
    const orm = await MikroORM.init({ clientUrl: url, entities: rows, schemaGenerator });
    onTestFinished(() => orm.close());
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
  }));

test('migrating again takes no step', () =>
  withDatabase(async (database, url) => {
    expect(await migrate(url)).toEqual([]);
    expect(await missingMigrations(database)).toEqual([]);
  }));

test('several deploys at once take each step once', async () => {
  const url = await emptyDatabase();
  const taken = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(taken.flat()).toEqual(NAMES);
});

test('a database that was never migrated misses every step', async () => {
  const database = await openDatabase({ url: await emptyDatabase(), poolSize: 1 });
  onTestFinished(() => database.close());
  expect(await missingMigrations(database)).toEqual(NAMES);
});

test('a database that is ahead of the code misses none', () =>
  withDatabase(async (database) => {
    await database.pool.query(`insert into schema_migration (name) values ('9999-of-the-future')`);
    expect(await missingMigrations(database)).toEqual([]);
  }));

test('a step that fails leaves nothing behind, and can be taken later', async () => {
  const url = await emptyDatabase();
  await execute(url, 'create table job (id integer)');
  await expect(migrate(url)).rejects.toThrow('already exists');
  await execute(url, 'drop table job');
  expect(await migrate(url)).toEqual(NAMES);
});

/** Not even migrated. */
async function emptyDatabase(): Promise<string> {
  const adminUrl = inject('databaseAdminUrl');
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  await execute(adminUrl, `create database ${name}`);
  onTestFinished(() => execute(adminUrl, `drop database ${name} with (force)`));
  return new URL(`/${name}`, adminUrl).href;
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
