import { DAY_MS, type EntryMessage, ingest, startOfDay } from '@plugin-config/domain';
import { aFamily, aRecord, anEntry, MOMENT } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase, postgresIngestionStores, postgresLogEntryStore } from '../index.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { SPLIT_AT } from './blocks/log-block.ts';

const withEmptied = databaseOfFile();

const TODAY = startOfDay(MOMENT.getTime());
const EVERY = { types: [], source: null, instanceId: null, after: null, before: null, search: null };

function entries(
  record: { readonly id: number },
  count: number,
  timeOf: (i: number) => number,
): EntryMessage[] {
  return Array.from({ length: count }, (_, i) =>
    anEntry(record, { timestamp: timeOf(i), type: `T${i % 4}` }),
  );
}

test('blocks count their entries, add up to the total, and are split when they are too large', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const burst = entries(record, 3000, (i) => TODAY + 77 + (i % 2));
    const batches = [
      entries(record, 5000, (i) => TODAY + i),
      burst,
      entries(record, 2000, (i) => TODAY + DAY_MS - 1 - i * 20_000),
      entries(record, SPLIT_AT - 1, (i) => TODAY - i - 1),
    ];
    await Promise.all(batches.map((batch) => ingest(ports, batch)));
    // Each large block has some of these, whose ids differ from others in their last digits only.
    const among = burst.filter((_, i) => i % 101 === 0);
    const unsplit = { text: 'select from log_block where total >= $1 and not split', values: [SPLIT_AT] };
    let rounds = 0;
    while (((await database.pool.query(unsplit)).rowCount ?? 0) > 0) {
      const digits = (rounds++).toString(16).padStart(4, '0');
      await ingest(
        ports,
        among.map((entry) => ({ ...entry, id: entry.id.slice(0, -4) + digits })),
      );
    }
    const counted = await database.pool.query(`
      select b.prefix, b.total, b.split, cardinality(b.counts) as kinds,
        (select sum(n) from unnest(b.counts) n) as of_kinds,
        (select sum(c.total) from log_block c where c.day = b.day and c.record_id = b.record_id
           and c.depth = greatest(b.depth + 1, 2) and left(c.prefix, b.depth) = b.prefix) as within
      from log_block b order by b.day, b.depth, b.prefix`);
    for (const { prefix, total, split, of_kinds: ofKinds, within } of counted.rows) {
      expect([prefix, ofKinds, within]).toEqual([prefix, total, split ? total : null]);
      expect(split).toBe(Number(total) >= SPLIT_AT);
    }
    const roots = await database.pool.query('select sum(total) as sum from log_block where depth = 0');
    expect(roots.rows).toEqual([{ sum: String(batches.flat().length + rounds * among.length) }]);
    expect(Math.max(...counted.rows.map(({ prefix }: { prefix: string }) => prefix.length))).toBeGreaterThan(
      7,
    );
  }));

test(
  'logs that grow alike are split by several batches, a few by each, and counted right meanwhile',
  { tags: ['long'] },
  () =>
    withEmptied(async (database) => {
      const ports = logPortsOf(database);
      const family = await aFamily(ports);
      const records = await Promise.all(Array.from({ length: 30 }, () => aRecord(ports, family)));
      await ingest(
        ports,
        records.flatMap((record) => entries(record, SPLIT_AT - 1, (i) => TODAY + i * 1000)),
      );
      const splitDays = async (): Promise<number> =>
        (await database.pool.query('select from log_block where depth = 0 and split')).rowCount ?? 0;
      const filter = { ...EVERY, after: new Date(TODAY + 500_000) };
      const perBatch: number[] = [];
      for (let split = 0; split < records.length; split = await splitDays()) {
        await ingest(
          ports,
          records.map((record) => anEntry(record, { timestamp: TODAY + perBatch.length })),
        );
        perBatch.push((await splitDays()) - split);
        for (const record of records) {
          const { count } = await ports.logs.page(record, filter, { limit: 1, offset: 0 });
          expect(count).toBe(SPLIT_AT - 1 - 501);
        }
      }
      expect(perBatch).toEqual([4, 4, 4, 4, 4, 4, 4, 2]);
    }),
);

test('of concurrent writers of the same entries, exactly one reports each as stored', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const batch = entries(record, 500, (i) => TODAY + i);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ingest(ports, batch)));
    expect(outcomes.flat().filter((outcome) => outcome === 'stored')).toHaveLength(500);
  }));

test('a search that takes too long is refused with the hint to narrow it', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(
      ports,
      entries(record, 20_000, (i) => TODAY + i),
    );
    const impatient = postgresLogEntryStore({ ...database, searchTimeoutMs: 1 });
    const filter = { ...EVERY, search: 'nowhere to be found' };
    await expect(impatient.page(record, filter, { limit: 10, offset: 0 })).rejects.toMatchObject({
      name: 'DomainError',
      code: 'invalid_input',
      attr: 'search',
    });
    const narrowed = { ...filter, after: new Date(TODAY), before: new Date(TODAY + 2) };
    expect(await ports.logs.page(record, narrowed, { limit: 10, offset: 0 })).toEqual({
      count: 0,
      items: [],
    });
    expect((await impatient.page(record, EVERY, { limit: 1, offset: 0 })).count).toBe(20_000);
  }));

test('a batch that the database could not store fails as unavailable, and is stored on redelivery', () =>
  withEmptied(async (database, url) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const batch = entries(record, 500, (i) => TODAY + i);
    await ingest(ports, [anEntry({ id: 0 }, { timestamp: TODAY })]);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin; lock table log_block in access exclusive mode');
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
