import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, eraseProject, ingest, startOfDay } from '@plugin-config/domain';
import { aDeadMessage, aDelivery, aFamily, anAuthor, anEntry, aRecord, EVERY } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { postgresEndedDays, postgresLogEntryStore } from '../index.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

const TODAY = startOfDay(Date.now());
const OLD = TODAY - 9 * DAY_MS;

test('a day in use is dropped by a later run, without waiting long for its lock', () =>
  withEmptied(async (database, url) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(
      ports,
      [OLD, TODAY].map((timestamp) => anEntry(record, { timestamp })),
    );
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('begin; select count(*) from log_entry');
    const over = new AbortController();
    const dropping = ports.upkeep.dropOverdue(7).finally(() => over.abort());
    const times: number[] = [];
    while (!over.signal.aborted) {
      const start = performance.now();
      expect(await ingest(ports, [anEntry(record, { timestamp: TODAY })])).toEqual(['stored']);
      times.push(performance.now() - start);
      await sleep(5);
    }
    expect([await dropping, await ports.upkeep.overdue(7)]).toEqual([[], [new Date(OLD)]]);
    // The lock is tried several times. A busy machine may delay one batch, but not two.
    expect(times.toSorted((a, b) => b - a)[1]).toBeLessThan(1_500);
    await reader.end();
    expect(await ports.upkeep.dropOverdue(7)).toEqual([new Date(OLD)]);
  }));

test('an ended day that is in use briefly is taken out without another copy', () =>
  withEmptied(async (database, url) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: OLD })]);
    const ended = postgresEndedDays(database);
    const [due] = await ended.due(1);
    if (due === undefined) throw new Error('No day is due.');
    const summary = await ended.summary(due.day);
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('begin; select count(*) from log_entry');
    const takenOut = ended.takeOut(due, summary);
    await sleep(500);
    await reader.end();
    expect(await takenOut).toBe(true);
    expect(await ended.due(1)).toEqual([]);
  }));

test('a day that has changed since its copy was compared is not taken out, even if it has as many entries as before', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const [gone, kept] = [await aFamily(ports), await aFamily(ports)];
    const records = [await aRecord(ports, gone), await aRecord(ports, kept)];
    await ingest(
      ports,
      records.map((record) => anEntry(record, { timestamp: OLD })),
    );
    const ended = postgresEndedDays(database);
    const [due] = await ended.due(1);
    if (due === undefined) throw new Error('No day is due.');
    const summary = await ended.summary(due.day);
    const project = await ports.projects.find(gone.projectId);
    await ports.erasures.start(gone.projectId, project?.name ?? '', anAuthor());
    for await (const _ of eraseProject(ports, gone.projectId));
    await ingest(ports, [anEntry(records[1] ?? { id: 0 }, { timestamp: OLD + 1 })]);
    expect(await ended.takeOut(due, summary)).toBe(false);
    expect(await ended.summary(due.day)).toMatchObject({ count: 2 });
    expect(await ended.takeOut(due, await ended.summary(due.day))).toBe(true);
  }));

test(
  'continuous searches neither prevent a day from being dropped nor are rejected',
  { tags: ['long'] },
  () =>
    withEmptied(async (database) => {
      const ports = logPortsOf(database);
      const record = await aRecord(ports, await aFamily(ports));
      const many = Array.from({ length: 15_000 }, (_, i) =>
        anEntry(record, { timestamp: TODAY + i, message: `${i}`.repeat(200) }),
      );
      await ingest(ports, [anEntry(record, { timestamp: OLD }), ...many]);
      const logs = postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 });
      const over = new AbortController();
      const searching = Array.from({ length: 3 }, async (_, i) => {
        await sleep(i * 100);
        while (!over.signal.aborted) {
          const { count } = await logs.page(
            record,
            { ...EVERY, search: '%nowhere%' },
            { limit: 10, offset: 0 },
          );
          expect(count).toBe(0);
        }
      });
      await sleep(400);
      const outcome = await ports.upkeep.dropOverdue(7).finally(() => over.abort());
      expect(outcome).toEqual([new Date(OLD)]);
      await Promise.all(searching);
    }),
);

test('concurrent workers drop each day once', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const days = [-12, -11, -10, -2, 0].map((n) => TODAY + n * DAY_MS);
    await Promise.all(days.map((timestamp) => ingest(ports, [anEntry(record, { timestamp })])));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => ports.upkeep.dropOverdue(7)));
    const dropped = outcomes.flat().map((day) => day.getTime());
    expect(dropped.toSorted((a, b) => a - b)).toEqual(days.slice(0, 3));
    const left = await database.pool.query('select day from log_day where not dropped');
    expect(left.rows).toHaveLength(2);
  }));

test('the statement that drops a day does not drop a day within the retention', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(
      ports,
      [-7, -1, 0, 1].map((n) => anEntry(record, { timestamp: TODAY + n * DAY_MS })),
    );
    const { rows } = await database.pool.query<{ dropped: boolean }>(
      'select drop_log_day(day, n) as dropped from log_day, unnest($1::integer[]) n where n >= 7 or day >= current_date - 1',
      [[-40, 0, 1, 7]],
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ dropped }) => dropped)).toEqual([]);
  }));

test('only days with entries have a partition', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [
      anEntry(record, { timestamp: TODAY }),
      aDelivery(record, { timestamp: TODAY - 5 * DAY_MS }),
    ]);
    await ports.upkeep.dropOverdue(365);
    const { rows } = await database.pool.query(
      `select from pg_class where relispartition and relkind = 'r' and relname like 'log_entry%'`,
    );
    expect(rows).toHaveLength(1);
  }));

test('many batches that start a new day concurrently are all stored without long waits', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const other = logPortsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: TODAY - DAY_MS })]);
    const times = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        await sleep(i);
        const start = performance.now();
        const worker = i % 2 === 0 ? ports : other;
        const days = i % 3 === 0 ? [TODAY - 1, TODAY] : [TODAY, TODAY + DAY_MS];
        const outcomes = await ingest(
          worker,
          days.map((day) => anEntry(record, { timestamp: day })),
        );
        expect(outcomes).toEqual(['stored', 'stored']);
        return performance.now() - start;
      }),
    );
    expect(Math.max(...times)).toBeLessThan(5_000);
  }));

const BOUND = { count: 100, bytes: 1000 };

test('the age of a dead letter counts from the day when the database stored it', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    await ingest(
      ports,
      ['a', 'b', 'c'].map((text) => aDeadMessage({ text })),
    );
    await database.pool.query(
      `update dead_letter set added_at = date_trunc('day', now(), 'UTC') - interval '7 days'`,
    );
    await database.pool.query(
      `update dead_letter set added_at = added_at - interval '1 ms' where text < 'c'`,
    );
    expect(await ports.deadLetters.trim({ retentionDays: 7, ofOwner: BOUND, ofAll: BOUND })).toEqual({
      tooOld: 2,
      tooMany: 0,
    });
    expect((await ports.deadLetters.list({ after: 0, limit: 10 })).map(({ text }) => text)).toEqual(['c']);
  }));
