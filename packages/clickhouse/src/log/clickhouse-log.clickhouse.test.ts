import { DAY_MS, ingest, startOfDay, type ConfigRecord, type LogPosition } from '@plugin-config/domain';
import { aFamily, anEntry, aRecord, type LogPorts } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { clickHouseLog, type ClickHouse } from '../index.ts';
import { withOwnLog } from '../testing/clickhouse-ports.fixture.ts';

const withOwn = withOwnLog();
const LIMITS = { timeLimitMs: 20_000 };
const TODAY = startOfDay(Date.now());
const EVERY = { types: [], source: null, instanceId: null, after: null, before: null, search: null };
const PAGE = { limit: 10, offset: 0 };

const aRecordIn = async (ports: LogPorts): Promise<ConfigRecord> => aRecord(ports, await aFamily(ports));

async function followed({ arrivals }: LogPorts, record: ConfigRecord): Promise<LogPosition> {
  const [position] = await arrivals.follow([record]);
  return position ?? { lineage: '0', epoch: 0, number: 0 };
}

async function partitionsOf({ select }: ClickHouse): Promise<readonly unknown[]> {
  const rows = await select(
    `select distinct partition from system.parts where database = currentDatabase() and table = 'log_entry' and active
    order by 1`,
    {},
    LIMITS,
  );
  return rows.map(([partition]) => partition);
}

/** The number of queries that run on the database, without this one. */
async function runningQueries({ select }: ClickHouse): Promise<number> {
  const rows = await select(
    'select count() from system.processes where current_database = currentDatabase() and query_id <> queryID()',
    {},
    LIMITS,
  );
  return Number(rows[0]?.[0]);
}

async function insertMany({ command }: ClickHouse, record: ConfigRecord, count: number): Promise<void> {
  await command(
    `insert into log_entry (record_id, timestamp, id, project_id, plugin, source, type, message, instance_id, announced_in)
    select ${record.id}, fromUnixTimestamp64Milli(toInt64(${TODAY}) + number), generateUUIDv4(), ${record.projectId}, 1, 'PLUGIN',
      'LOG', concat('exported ', toString(number), repeat(' events', 20)), generateUUIDv4(), 0 from numbers(${count})`,
    LIMITS,
  );
}

test('an entry whose batch failed after it was stored is announced by the next one, once', () =>
  withOwn(async (ports) => {
    const record = await aRecordIn(ports);
    const { promise: failed, reject } = Promise.withResolvers<never>();
    failed.catch(() => undefined);
    const start = await followed(ports, record);
    const entry = anEntry(record);
    const failing: LogPorts['stores'] = {
      withBatch: (work) =>
        ports.stores.withBatch(async (stores) => {
          await work({ ...stores, arrivals: { add: () => failed } });
          return failed;
        }),
    };
    const first = ingest({ stores: failing }, [entry]);
    reject(new Error('killed'));
    await expect(first).rejects.toThrow('killed');
    expect(await ports.arrivals.after(record, start)).toEqual([]);
    for (let delivered = 0; delivered < 3; delivered++) {
      expect(await ingest(ports, [entry])).toEqual(['duplicate']);
      const arrived = await ports.arrivals.after(record, start);
      expect(arrived?.map(({ id }) => id)).toEqual([entry.id]);
    }
  }));

test('an entry that many batches store at once arrives once', () =>
  withOwn(async (ports) => {
    const record = await aRecordIn(ports);
    const start = await followed(ports, record);
    const entries = Array.from({ length: 20 }, () => anEntry(record));
    await Promise.all(Array.from({ length: 6 }, () => ingest(ports, entries)));
    const arrived = await ports.arrivals.after(record, start);
    expect(new Set(arrived?.map(({ id }) => id))).toEqual(new Set(entries.map(({ id }) => id)));
    expect(arrived).toHaveLength(20);
  }));

test('a day is dropped in ClickHouse, and again if a late insert has made it anew', () =>
  withOwn(async (ports, { clickHouse }) => {
    const record = await aRecordIn(ports);
    const [old, young] = [TODAY - 9 * DAY_MS, TODAY - DAY_MS];
    const entries = [old, young].map((timestamp) => anEntry(record, { timestamp }));
    await ingest(ports, entries);
    const [day] = await partitionsOf(clickHouse);
    expect(await ports.upkeep.dropOverdue(7)).toEqual([new Date(old)]);
    expect(await partitionsOf(clickHouse)).toHaveLength(1);
    const [late] = (await ports.logs.page(record, EVERY, PAGE)).items;
    if (late === undefined) throw new Error('The young entry is gone.');
    await clickHouseLog({ clickHouse }).append([{ ...late, timestamp: new Date(old) }], {
      announcement: '1',
      isFollowed: () => false,
    });
    expect(await partitionsOf(clickHouse)).toContain(day);
    expect((await ports.logs.page(record, EVERY, PAGE)).count).toBe(1);
    expect(await ports.upkeep.dropOverdue(7)).toEqual([]);
    expect(await partitionsOf(clickHouse)).toHaveLength(1);
  }));

test('a search that takes too long is refused with the hint to narrow it', () =>
  withOwn(async (ports, { clickHouse }) => {
    const record = await aRecordIn(ports);
    await insertMany(clickHouse, record, 200_000);
    const impatient = clickHouseLog({ clickHouse, searchTimeoutMs: 1 });
    const filter = { ...EVERY, search: 'nowhere to be found' };
    await expect(
      impatient.page(record, filter, PAGE, { earliest: Number.NEGATIVE_INFINITY }),
    ).rejects.toMatchObject({ name: 'DomainError', code: 'invalid_input', attr: 'search' });
    const narrowed = { ...filter, after: new Date(TODAY), before: new Date(TODAY + 2) };
    expect(await ports.logs.page(record, narrowed, PAGE)).toEqual({ count: 0, items: [] });
  }));

test('a query ends in the server when its caller has left', () =>
  withOwn(async (_, { clickHouse }) => {
    const leaving = new AbortController();
    const endless = 'select sum(sipHash64(number)) from numbers(1000000000000)';
    const running = () => runningQueries(clickHouse);
    const asked = clickHouse.select(endless, {}, { timeLimitMs: 60_000, signal: leaving.signal });
    asked.catch(() => undefined);
    await expect.poll(running).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    await expect.poll(running).toBe(0);
  }));

test("many slow searches of one project leave another's pages and entries alone", () =>
  withOwn(async (ports, { clickHouse }) => {
    const [busy, quiet] = [await aRecordIn(ports), await aRecordIn(ports)];
    await insertMany(clickHouse, busy, 200_000);
    await ingest(ports, [anEntry(quiet)]);
    const searches = Array.from({ length: 15 }, (_, i) =>
      ports.logs.page(busy, { ...EVERY, search: `nowhere ${i}` }, PAGE).catch((error: unknown) => error),
    );
    const { count } = await ports.logs.page(quiet, EVERY, PAGE);
    expect(await ingest(ports, [anEntry(quiet)])).toEqual(['stored']);
    expect(count).toBe(1);
    await Promise.all(searches);
  }));
