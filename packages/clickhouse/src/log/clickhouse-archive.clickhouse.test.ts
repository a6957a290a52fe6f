import { archiveDay, DAY_MS, eraseProject, ingest, startOfDay } from '@plugin-config/domain';
import { logPortsOf } from '@plugin-config/persistence/testing/ports';
import { aFamily, aLogEntry, anAuthor, anEntry, aRecord, type LogPorts, EVERY } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { clickHouseArchive, type ClickHouse } from '../index.ts';
import { withClickHouse, withOwnArchive } from '../testing/clickhouse-ports.fixture.ts';

const withTiers = withOwnArchive();
const LIMITS = { timeLimitMs: 20_000 };
const TODAY = startOfDay(Date.now());
const OLD = TODAY - 3 * DAY_MS;
const PAGE = { limit: 100, offset: 0 };

const aRecordIn = async (ports: LogPorts) => aRecord(ports, await aFamily(ports));

async function partitionsOf({ select }: ClickHouse): Promise<readonly unknown[]> {
  const rows = await select(
    `select distinct partition from system.parts where database = currentDatabase() and table = 'log_entry' and active
    order by 1`,
    {},
    LIMITS,
  );
  return rows.map(([partition]) => partition);
}

/** Returns the number of queries running on the database, except this one. */
async function runningQueries({ select }: ClickHouse): Promise<number> {
  const rows = await select(
    'select count() from system.processes where current_database = currentDatabase() and query_id <> queryID()',
    {},
    LIMITS,
  );
  return Number(rows[0]?.[0]);
}

test('a day is archived completely, leaves PostgreSQL, and is listed, counted and found as before', () =>
  withTiers(async (ports, { postgres, archiveAll }) => {
    const record = await aRecordIn(ports);
    const messages = ['Ärger', '', 'x'.repeat(40_000), '🚀', "it's \\ \t"];
    const entries = messages.map((message, i) => anEntry(record, { timestamp: OLD + i, message }));
    await ingest(ports, [...entries, anEntry(record, { timestamp: TODAY, message: 'young' })]);
    const before = await ports.logs.page(record, EVERY, PAGE);
    await archiveAll();
    const { rows } = await postgres.pool.query(
      'select in_postgres, run, (select count(*)::integer from log_entry) as here from log_day order by day',
    );
    expect(rows).toEqual([
      { in_postgres: false, run: 1, here: 1 },
      { in_postgres: true, run: 0, here: 1 },
    ]);
    expect(await ports.logs.page(record, EVERY, PAGE)).toEqual(before);
    const [, , middle] = entries;
    if (middle === undefined) throw new Error('There is no entry.');
    const key = { id: middle.id, timestamp: new Date(middle.timestamp) };
    expect(await ports.logs.findKey(record, middle.id)).toEqual(key);
    expect(await ports.logs.entry(record, key)).toMatchObject({ message: middle.message });
    expect(await ports.logs.countBefore(record, EVERY, key)).toBe(3);
    expect(await ingest(ports, entries)).toEqual(entries.map(() => 'duplicate'));
  }));

test('a late entry of an archived day is listed in order, stored once, and archived by the next run', () =>
  withTiers(async (ports, { postgres, archiveAll }) => {
    const record = await aRecordIn(ports);
    const entries = Array.from({ length: 9 }, (_, i) =>
      anEntry(record, { timestamp: OLD + i, message: `${i}` }),
    );
    await ingest(
      ports,
      entries.filter((_, i) => i !== 4),
    );
    await archiveAll();
    const late = entries[4] ?? anEntry(record);
    expect(await Promise.all([ingest(ports, [late]), ingest(ports, [late])])).toEqual(
      expect.arrayContaining([['stored'], ['duplicate']]),
    );
    const shown = async () => {
      const pages = await Promise.all(
        [0, 2, 4, 6, 8].map((offset) => ports.logs.page(record, EVERY, { limit: 2, offset })),
      );
      return pages.map(({ count, items }) => [count, ...items.map(({ message }) => message)]);
    };
    const expected = [
      [9, '8', '7'],
      [9, '6', '5'],
      [9, '4', '3'],
      [9, '2', '1'],
      [9, '0'],
    ];
    expect(await shown()).toEqual(expected);
    await archiveAll();
    expect((await postgres.pool.query('select in_postgres, run from log_day')).rows).toEqual([
      { in_postgres: false, run: 2 },
    ]);
    expect(await shown()).toEqual(expected);
    expect(await ingest(ports, entries)).toEqual(entries.map(() => 'duplicate'));
  }));

test('a day that receives entries while it is copied stays in PostgreSQL, and is archived by the next call', () =>
  withTiers(async (ports, { archive, ended }) => {
    const record = await aRecordIn(ports);
    await ingest(ports, [anEntry(record, { timestamp: OLD + 5 })]);
    const [due] = await ended.due(1);
    if (due === undefined) throw new Error('No day is due.');
    const late = [OLD + 1, OLD + 9].map((timestamp) => anEntry(record, { timestamp }));
    const summary: typeof archive.summary = async (...of) => {
      await ingest(ports, late);
      return archive.summary(...of);
    };
    const copy = (to: Pick<typeof archive, 'append' | 'summary'>) => archiveDay({ ended, archive: to }, due);
    expect(await copy({ ...archive, summary })).toMatchObject({ outcome: 'changed', count: 1 });
    expect((await ports.logs.page(record, EVERY, PAGE)).count).toBe(3);
    expect(await copy(archive)).toMatchObject({ outcome: 'moved', count: 3 });
    expect(await ports.logs.page(record, EVERY, PAGE)).toMatchObject({ count: 3, items: [{}, {}, {}] });
  }));

test('a copy with a different message is not accepted as the day', () =>
  withTiers(async (ports, { archive, ended }) => {
    const record = await aRecordIn(ports);
    await ingest(ports, [anEntry(record, { timestamp: OLD, message: 'right' })]);
    const [due] = await ended.due(1);
    if (due === undefined) throw new Error('No day is due.');
    const append: typeof archive.append = (entries, run) =>
      archive.append(
        entries.map((entry) => ({ ...entry, message: 'wrong' })),
        run,
      );
    expect((await archiveDay({ ended, archive: { ...archive, append } }, due)).outcome).toBe('changed');
    expect((await ports.logs.page(record, EVERY, PAGE)).items).toMatchObject([{ message: 'right' }]);
  }));

test('a day whose unfinished copy has entries that PostgreSQL lost stays in PostgreSQL until that copy is deleted', () =>
  withTiers(async (ports, { archive, ended, clickHouse }) => {
    const record = await aRecordIn(ports);
    await ingest(ports, [anEntry(record, { timestamp: OLD })]);
    await archive.append([aLogEntry(record, { timestamp: new Date(OLD + 1) })], 1);
    const [due] = await ended.due(1);
    if (due === undefined) throw new Error('No day is due.');
    const copy = async () => (await archiveDay({ ended, archive }, due)).outcome;
    expect([await copy(), await copy()]).toEqual(['changed', 'changed']);
    expect((await ports.logs.page(record, EVERY, PAGE)).count).toBe(1);
    await clickHouse.command('delete from log_entry where run > 0', LIMITS);
    expect(await copy()).toBe('moved');
    expect(await ports.logs.page(record, EVERY, PAGE)).toMatchObject({ count: 1, items: [{}] });
  }));

test('while the archive is unavailable, recent entries are stored and listed, and late entries have to be resent', () =>
  withTiers(async (ports, { postgres, archiveAll }) => {
    const record = await aRecordIn(ports);
    await ingest(ports, [anEntry(record, { timestamp: OLD })]);
    await archiveAll();
    const withoutArchive = logPortsOf(postgres);
    const batch = [anEntry(record, { timestamp: TODAY }), anEntry(record, { timestamp: OLD + 1 })];
    expect(await ingest(withoutArchive, batch)).toEqual(['stored', 'unavailable']);
    const young = { ...EVERY, after: new Date(TODAY - 1) };
    expect(await withoutArchive.logs.page(record, young, PAGE)).toMatchObject({ count: 1, items: [{}] });
    expect(await withoutArchive.logs.page(record, EVERY, { limit: 1, offset: 0 })).toMatchObject({
      count: 2,
      items: [{}],
    });
    await expect(withoutArchive.logs.page(record, EVERY, PAGE)).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await ingest(ports, batch)).toEqual(['duplicate', 'stored']);
    expect((await ports.logs.page(record, EVERY, PAGE)).count).toBe(3);
  }));

test('a day is dropped in both tiers, and again if a late insert recreates it', () =>
  withTiers(async (ports, { clickHouse, archive, archiveAll }) => {
    const record = await aRecordIn(ports);
    const old = TODAY - 9 * DAY_MS;
    await ingest(
      ports,
      [old, OLD].map((timestamp) => anEntry(record, { timestamp })),
    );
    await archiveAll();
    expect(await partitionsOf(clickHouse)).toHaveLength(2);
    expect(await ports.upkeep.dropOverdue(7)).toEqual([new Date(old)]);
    expect((await ports.logs.page(record, EVERY, PAGE)).count).toBe(1);
    await ports.upkeep.dropMoved();
    expect(await partitionsOf(clickHouse)).toHaveLength(1);
    await archive.append([aLogEntry(record, { timestamp: new Date(old) })], 1);
    await ports.upkeep.dropMoved();
    expect(await partitionsOf(clickHouse)).toHaveLength(1);
    expect((await ports.logs.page(record, EVERY, PAGE)).count).toBe(1);
  }));

test('a deleted project is erased in both tiers, and its days are archived as before', () =>
  withTiers(async (ports, { postgres, clickHouse, archiveAll }) => {
    const [gone, kept] = [await aRecordIn(ports), await aRecordIn(ports)];
    await ingest(
      ports,
      [gone, kept].map((record) => anEntry(record, { timestamp: OLD })),
    );
    await archiveAll();
    await ingest(
      ports,
      [gone, kept].map((record) => anEntry(record, { timestamp: OLD })),
    );
    const project = await ports.projects.find(gone.projectId);
    await ports.erasures.start(gone.projectId, project?.name ?? '', anAuthor());
    for await (const _ of eraseProject(ports, gone.projectId));
    expect((await ports.erasures.find(gone.projectId))?.finishedAt).not.toBeNull();
    await archiveAll();
    const stored = await clickHouse.select('select project_id from log_entry', {}, LIMITS);
    expect(stored.map(([id]) => Number(id))).toEqual([kept.projectId, kept.projectId]);
    const { rows } = await postgres.pool.query('select in_postgres from log_day');
    expect(rows).toEqual([{ in_postgres: false }]);
    expect((await ports.logs.page(kept, EVERY, PAGE)).count).toBe(2);
  }));

test('a read that takes too long is rejected with a hint to narrow it', () =>
  withTiers(async (ports, { clickHouse }) => {
    const record = await aRecordIn(ports);
    await clickHouse.command(
      `insert into log_entry (record_id, timestamp, id, project_id, plugin, source, type, message, instance_id, run)
      select ${record.id}, fromUnixTimestamp64Milli(toInt64(${OLD}) + number), generateUUIDv4(), ${record.projectId}, 1, 'PLUGIN',
        'LOG', concat('exported ', toString(number), repeat(' events', 20)), generateUUIDv4(), 1 from numbers(200000)`,
      LIMITS,
    );
    const hurried = clickHouseArchive({ clickHouse, searchTimeoutMs: 1 });
    const filter = { ...EVERY, search: 'nowhere to be found' };
    await expect(hurried.countByDay(record, filter, [{ day: OLD, run: 1 }])).rejects.toMatchObject({
      name: 'DomainError',
      code: 'invalid_input',
      attr: 'search',
    });
  }));

test('while the disk of the archive is full, days stay in PostgreSQL, and are archived once there is space', () =>
  withTiers(async (ports, { clickHouse, archive, ended, archiveAll }) => {
    const record = await aRecordIn(ports);
    const entries = [OLD, OLD + DAY_MS].map((timestamp) => anEntry(record, { timestamp }));
    await ingest(ports, entries);
    const before = await ports.logs.page(record, EVERY, PAGE);
    const alter = (change: string) => clickHouse.command(`alter table log_entry ${change}`, LIMITS);
    await alter(`modify setting min_free_disk_bytes_to_perform_insert = ${10 ** 17}`);
    const [due] = await ended.due(1);
    if (due === undefined) throw new Error('No day is due.');
    await expect(archiveDay({ ended, archive }, due)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'ClickHouse has no disk space left.',
    });
    expect(await ended.due(1)).toHaveLength(2);
    expect(await ports.logs.page(record, EVERY, PAGE)).toEqual(before);
    const young = anEntry(record, { timestamp: TODAY });
    expect(await ingest(ports, [young])).toEqual(['stored']);
    await alter('reset setting min_free_disk_bytes_to_perform_insert');
    await archiveAll();
    expect(await ended.due(1)).toEqual([]);
    const { count, items } = await ports.logs.page(record, EVERY, PAGE);
    expect([count, items.slice(1)]).toEqual([3, before.items]);
  }));

test('the server ends a query when its caller disconnects', () =>
  withClickHouse(async (clickHouse) => {
    const leaving = new AbortController();
    const endless = 'select sum(sipHash64(number)) from numbers(1000000000000)';
    const running = () => runningQueries(clickHouse);
    const query = clickHouse.select(endless, {}, { timeLimitMs: 60_000, signal: leaving.signal });
    query.catch(() => undefined);
    await expect.poll(running).toBe(1);
    leaving.abort();
    await expect(query).rejects.toMatchObject({ code: 'unavailable' });
    await expect.poll(running).toBe(0);
  }));
