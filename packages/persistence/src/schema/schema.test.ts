import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { rows } from './rows/index.ts';
import { missingMigrations } from './schema.ts';
import { emptyDatabase, executeAt } from '../testing/empty-database.fixture.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

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
  await executeAt(url, 'create table job (id integer)');
  await expect(migrate(url)).rejects.toThrow('already exists');
  await executeAt(url, 'drop table job');
  expect(await migrate(url)).toEqual(NAMES);
});

test('whoever finds another one migrating says so, waits, and gives up with one line', async () => {
  const url = await emptyDatabase();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('begin; select pg_advisory_xact_lock(7305815204118311)');
  const lines: string[] = [];
  const HOLDER = String.raw`^Another process \(backend \d+ of PostgreSQL, connected from 127\.0\.0\.1\) `;
  const giveUp = migrate(url, { waitMs: 200, onWait: (line) => lines.push(line) });
  await expect(giveUp).rejects.toThrow(
    new RegExp(`${HOLDER}has been migrating this database for more than 0\\.2 s: .* migrate again\\.$`),
  );
  const waiting = migrate(url, { onWait: (line) => lines.push(line) });
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[0]).toMatch(
    new RegExp(`${HOLDER}is migrating this database already: waiting for it, 0\\.2 s`),
  );
  await other.end();
  expect(await waiting).toEqual(NAMES);
});
