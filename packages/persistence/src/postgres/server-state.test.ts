import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../index.ts';
import { createTestDatabase } from '../testing/create-test-database.ts';
import type { Database } from './database.ts';

async function aDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
  onTestFinished(drop);
  return url;
}

async function connected(url: string): Promise<Database> {
  const database = openDatabase({ url, poolSize: 2 });
  onTestFinished(() => database.close());
  await database.pool.query('select');
  return database;
}

const ID = /^[0-9a-f]{8}$/;

test('processes that connect concurrently get the same timeline id, and another database has a different one', async () => {
  const url = await aDatabase();
  const processes = await Promise.all(Array.from({ length: 5 }, () => connected(url)));
  const timelineIds = new Set(processes.map(({ primary }) => primary.timeline.id));
  expect([...timelineIds]).toEqual([expect.stringMatching(ID)]);
  const other = await connected(await aDatabase());
  expect(timelineIds).not.toContain(other.primary.timeline.id);
});

test('a timeline id is kept until the operator removes it after a restore', async () => {
  const url = await aDatabase();
  const before = (await connected(url)).primary.timeline.id;
  const database = await connected(url);
  const { timeline } = database.primary;
  expect(timeline.id).toBe(before);
  await database.pool.query('delete from timeline');
  const after = (await connected(url)).primary.timeline.id;
  expect(after).not.toBe(before);
  const [one, other] = await Promise.allSettled([
    database.pool.query('select'),
    database.pool.query('select'),
  ]);
  expect([one.status, other.status]).toContain('fulfilled');
  expect(database.primary.timeline).toMatchObject({ id: after });
  expect(timeline.ended.aborted).toBe(true);
});

test('connecting works before the database is migrated, and with a role without rights', async () => {
  const admin = inject('databaseAdminUrl');
  expect((await connected(admin)).primary.timeline.id).toMatch(ID);
  const url = await aDatabase();
  const { pool } = await connected(url);
  await pool.query(`create role nobody_in_particular login password 'secret'`);
  onTestFinished(async () => void (await pool.query('drop role nobody_in_particular')));
  const without = Object.assign(new URL(url), { username: 'nobody_in_particular', password: 'secret' });
  expect((await connected(without.href)).primary.timeline.id).toMatch(ID);
});
