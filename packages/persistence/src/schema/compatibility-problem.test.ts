import { aFamily, aRecord, MOMENT, storeEntries } from '@plugin-config/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase, type EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './sql-files.ts';
import { isWritable } from '../postgres/is-writable.ts';
import { schemaProblem } from './schema-problem.ts';
import { emptyDatabase, executeAt } from '../testing/empty-database.fixture.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { compatibilityProblem } from '../postgres/compatibility-problem.ts';
import { TEST_KEYS } from '../testing/test-keys.ts';

const NAMES = migrations.map(({ name }) => name);

async function opened(url: string): Promise<EncryptedDatabase> {
  const database = openDatabase({ url, poolSize: 5, masterKeys: TEST_KEYS });
  onTestFinished(() => database.close());
  return database;
}

const databaseName = (url: string): string => new URL(url).pathname.slice(1);

/** Ways to select a schema other than `public`. Each prepares the database and returns the address to use. */
const WAYS: Readonly<Record<string, (url: string) => Promise<string>>> = {
  'by a role with a schema of the same name': async (url) => {
    const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
    await executeAt(
      url,
      `create role ${role} login password 'x'; create schema ${role} authorization ${role};
       revoke create on schema public from public`,
    );
    onTestFinished(() => executeAt(inject('databaseAdminUrl'), `drop role if exists ${role}`));
    onTestFinished(() => executeAt(url, `drop owned by ${role} cascade`));
    return Object.assign(new URL(url), { username: role, password: 'x' }).href;
  },
  'by the database': async (url) => {
    await executeAt(
      url,
      `create schema "The app"; alter database ${databaseName(url)} set search_path = "The app", public`,
    );
    return url;
  },
  'by the address': async (url) => {
    await executeAt(url, 'create schema app');
    return `${url}?options=-c%20search_path%3Dapp,public`;
  },
};

test.for(Object.entries(WAYS))('a schema other than public can be selected %s', async ([, prepare]) => {
  const bare = await emptyDatabase();
  const url = await prepare(bare);
  expect(await migrate(url)).toEqual(NAMES);
  expect(await migrate(url)).toEqual([]);
  const database = await opened(url);
  expect(await compatibilityProblem(database)).toBeNull();
  expect(await schemaProblem(database)).toBeNull();
  const ports = logPortsOf(database);
  const record = await aRecord(ports, await aFamily(ports), { name: 'Attached' });
  expect((await ports.records.find(record)).value).toEqual(record);
  const other = await opened(bare);
  const { rows } = await other.pool.query(`select from pg_tables where schemaname = 'public'`);
  expect(rows).toEqual([]);
  await database.close();
});

test('a database whose encoding cannot store every text is rejected', async () => {
  const url = await emptyDatabase(`template template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
  const reason =
    'The encoding of the database is LATIN1, which cannot store every text: create a database with';
  await expect(migrate(url)).rejects.toThrow(reason);
  expect(await compatibilityProblem(await opened(url))).toContain(reason);
});

test('a search path without a schema is rejected', async () => {
  const url = `${await emptyDatabase()}?options=-c%20search_path%3Dmissing`;
  await expect(migrate(url)).rejects.toThrow('No schema of the search_path (missing) exists');
});

test('the migration of a read-only database fails with a clear error', async () => {
  const url = await emptyDatabase();
  expect(await isWritable(await opened(url))).toBe(true);
  await executeAt(url, `alter database ${databaseName(url)} set default_transaction_read_only = on`);
  await expect(migrate(url)).rejects.toThrow('The database cannot be written to');
  expect(await isWritable(await opened(url))).toBe(false);
});

test('searches ignore case in every locale, even in C', async () => {
  const url = await emptyDatabase(`template template0 encoding 'UTF8' locale_provider libc locale 'C'`);
  await migrate(url);
  const database = await opened(url);
  const ports = logPortsOf(database);
  const record = await aRecord(ports, await aFamily(ports), { name: 'ÉTÉ', description: 'Ärger mit ÖL' });
  const { id: recordId, projectId, plugin } = record;
  const message = 'ÉTÉ, Ärger mit ÖL';
  const entry = { recordId, projectId, plugin, timestamp: MOMENT, source: 'SYSTEM', type: 'INFO', message };
  const entryId = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e01';
  await storeEntries(ports, [{ ...entry, id: entryId, instanceId: entryId }]);
  const everything = { types: [], source: null, instanceId: null, after: null, before: null };
  for (const search of ['été', 'éTÉ', 'ärger', 'öl']) {
    const { count } = await ports.logs.page(record, { ...everything, search }, { limit: 10, offset: 0 });
    expect(count).toBe(1);
    const filter = { deleted: false, enabled: null, plugin: null, valid: null, outdated: null, search };
    const { value } = await ports.records.list(record, filter, { limit: 10, offset: 0 });
    expect(value.items.map(({ id }) => id)).toEqual([record.id]);
  }
});
