import { type EntryMessage, ingest, startOfDay } from '@plugin-config/domain';
import { aFamily, aRecord, anEntry, MOMENT, EVERY } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase, postgresIngestionStores, postgresLogEntryStore } from '../index.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const withEmptied = databaseOfFile();

const TODAY = startOfDay(MOMENT.getTime());

function entries(
  record: { readonly id: number },
  count: number,
  timeOf: (i: number) => number,
): EntryMessage[] {
  return Array.from({ length: count }, (_, i) =>
    anEntry(record, { timestamp: timeOf(i), type: `T${i % 4}` }),
  );
}

test('a search that takes too long is rejected with a hint to narrow it', () =>
  withDatabase(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(
      ports,
      entries(record, 10, (i) => TODAY + i),
    );
    // Makes each comparison slow on every machine. The limit is long enough for everything else on a busy one.
    await database.pool.query(
      `create or replace function searched(text) returns text language plpgsql volatile
      as 'begin perform pg_sleep(60); return $1; end'`,
    );
    const hurried = postgresLogEntryStore({ ...database, searchTimeoutMs: 1_000 });
    const filter = { ...EVERY, search: 'nowhere to be found' };
    await expect(hurried.page(record, filter, { limit: 10, offset: 0 })).rejects.toMatchObject({
      name: 'DomainError',
      code: 'invalid_input',
      attr: 'search',
    });
    const narrowed = { ...filter, after: new Date(TODAY + 100), before: new Date(TODAY + 200) };
    expect(await hurried.page(record, narrowed, { limit: 10, offset: 0 })).toEqual({
      count: 0,
      items: [],
    });
    expect((await hurried.page(record, EVERY, { limit: 1, offset: 0 })).count).toBe(10);
  }));

test('a batch that the database cannot store fails as unavailable, and is stored on redelivery', () =>
  withEmptied(async (database, url) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const batch = entries(record, 500, (i) => TODAY + i);
    await ingest(ports, [anEntry({ id: 0 }, { timestamp: TODAY })]);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin; lock table log_hour in access exclusive mode');
    const failure = ingest(ports, batch).catch((error: unknown) => error);
    const waiting = `select pg_terminate_backend(pid) from pg_locks where not granted and database =
      (select oid from pg_database where datname = current_database())`;
    while ((await other.query(waiting)).rowCount === 0);
    expect(await failure).toMatchObject({ name: 'DomainError', code: 'unavailable' });
    await other.query('commit');
    await other.end();
    expect((await ports.logs.page(record, EVERY, { limit: 1, offset: 0 })).count).toBe(0);
    expect(new Set(await ingest(ports, batch))).toEqual(new Set(['stored']));
    expect((await ports.logs.page(record, EVERY, { limit: 1, offset: 0 })).count).toBe(500);
  }));

test('an unreachable database causes no dead letters', async () => {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nowhere', poolSize: 1 });
  const storing = ingest({ stores: postgresIngestionStores(database) }, [anEntry({ id: 1 })]);
  await expect(storing).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
  await database.close();
});
