import {
  DAY_MS,
  DomainError,
  ingest,
  type ConfigRecord,
  type LogSequence,
  type LogFilter,
  type Message,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { TestWith } from '../test-with.ts';
import { droppedBy } from './dropped-by.ts';
import { EVERY, logOf } from './log-of.ts';
import { streaming } from './log-streaming.ts';
import { expectGuarantees, expectReliable, expectResumable, expectUnique } from './stream-guarantees.ts';

const aRecordIn = async (ports: LogPorts): Promise<ConfigRecord> => aRecord(ports, await aFamily(ports));

async function store(
  ports: LogPorts,
  record: ConfigRecord,
  count: number,
  given: (at: number) => Parameters<typeof anEntry>[1] = () => ({}),
): Promise<readonly string[]> {
  const entries = Array.from({ length: count }, (_, at) => anEntry(record, given(at)));
  await ingest(ports, entries);
  return entries.map(({ id }) => id);
}

/** Returns the cursor of a stream that starts now. */
async function cursorNow(ports: LogPorts, record: ConfigRecord): Promise<string> {
  const { steps, stop } = await streaming(ports).open(record);
  const first = await steps.next();
  stop();
  await steps.return();
  return first.value?.cursor ?? '';
}

const at = (milliseconds: number) => ({ timestamp: MOMENT.getTime() + milliseconds });

function countedBy<Arguments extends unknown[], Result>(
  calls: number[],
  work: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  return (...given) => {
    calls.push(calls.length);
    return work(...given);
  };
}

export function logStreamContract(test: TestWith<LogPorts>): void {
  test("a stream does not read its tail after the caller's deadline", async (ports) => {
    const record = await aRecordIn(ports);
    await store(ports, record, 2);
    const reads: number[] = [];
    const newestKeys = countedBy(reads, ports.logs.newestKeys);
    const counted = { ...ports, logs: { ...ports.logs, newestKeys } };
    const deadline = { remainingMs: () => 1 - reads.length };
    await expect(streaming(counted).open(record, { tail: 1000, deadline })).rejects.toMatchObject({
      code: 'busy',
    });
    expect(reads).toHaveLength(1);
  });

  test('a stream waits for entries, and ends when it is stopped', async (ports) => {
    const record = await aRecordIn(ports);
    const { reader, stop } = await streaming(ports).open(record);
    const taken = reader.take(5);
    const ids = await store(ports, record, 2);
    await expect.poll(() => reader.cursor).toMatch(/-2$/);
    stop();
    expectGuarantees(await taken, ids);
  });

  test('a tail has the newest entries, oldest first, followed by each new entry once', async (ports) => {
    const record = await aRecordIn(ports);
    const old = await store(ports, record, 1200, at);
    let late: readonly string[] = [];
    const sequence: LogSequence = {
      ...ports.sequence,
      follow: async (logs) => {
        const positions = await ports.sequence.follow(logs);
        late = await store(ports, record, 3, () => at(2000));
        return positions;
      },
    };
    const { reader } = await streaming({ ...ports, sequence }).open(record, { tail: 1000 });
    expectGuarantees(await reader.take(1000), [...old.slice(-997), ...late]);
  });

  test('a stream resumes after any of its entries, including those of the tail, without gaps or duplicates', async (ports) => {
    const record = await aRecordIn(ports);
    const old = await store(ports, record, 20, (i) => at(Math.floor(i / 3)));
    const first = await streaming(ports).open(record, { tail: 15 });
    const fresh = await store(ports, record, 10, (i) => at(i));
    const expected = [...old.slice(-15), ...fresh];
    const parts = [await first.reader.take(1)];
    const left = () => expected.length - parts.flat().length;
    let { cursor } = first.reader;
    for (let part = 0; left() > 0; part++) {
      const { reader } = await streaming(ports).open(record, { tail: 1000, cursor });
      parts.push(await reader.take(Math.min(part % 4, left())));
      cursor = reader.cursor === '' ? cursor : reader.cursor;
    }
    expectResumable(parts, expected);
  });

  test('a reader that resumes at random points gets all entries of concurrent batches once', async (ports) => {
    const seed = 20_261_122;
    const { bytes } = seededRandomness(seed);
    const random = (below: number): number => ((bytes(1)[0] ?? 0) * 256 + (bytes(1)[0] ?? 0)) % below;
    const [record, other] = [await aRecordIn(ports), await aRecordIn(ports)];
    await store(ports, record, 1);
    const first = await cursorNow(ports, record);
    let cursor = first;
    const stored: string[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      for (let batch = 0; batch < 8; batch++) {
        const entries: Message[] = Array.from({ length: 1 + random(150) }, () =>
          anEntry(random(4) === 0 ? other : record, at(random(3) * DAY_MS + random(1000))),
        );
        await ingest(ports, entries);
        for (const entry of entries) {
          if (entry.kind === 'log' && entry.recordId === record.id) stored.push(entry.id);
        }
      }
    });
    const taken: string[] = [];
    const readOn = async (count: number): Promise<void> => {
      const { reader } = await streaming(ports).open(record, { cursor });
      taken.push(...(await reader.take(count)));
      cursor = reader.cursor;
    };
    const all = Promise.all(writers);
    for (let reads = 0; reads < 10; reads++) await readOn(1 + random(60));
    await all;
    await readOn(stored.length - taken.length);
    expectUnique(taken);
    expectReliable(taken, stored);
    const uninterrupted = await streaming(ports).open(record, { cursor: first });
    expectResumable([taken], await uninterrupted.reader.take(stored.length));
  });

  for (const [cursor, reason] of [
    ['', 'malformed_cursor'],
    ['last', 'malformed_cursor'],
    ['1-2-3', 'malformed_cursor'],
    ['999999-1', 'unknown_cursor'],
    ['999999-1-5-0197a3f0-1111-7222-8333-944455556666', 'unknown_cursor'],
  ] as const) {
    test(`a stream with the cursor "${cursor}" reports a reset, and continues from now`, async (ports) => {
      const record = await aRecordIn(ports);
      await store(ports, record, 2);
      const given = { cursor, tail: 5 };
      const { reader } = await streaming(ports).open(record, given);
      const ids = await store(ports, record, 1);
      expect(await reader.take(2)).toEqual([reason, ...ids]);
    });
  }

  test('a cursor older than any tail is unknown, and costs a single read of keys', async (ports) => {
    const record = await aRecordIn(ports);
    await store(ports, record, 2500, at);
    const now = await cursorNow(ports, record);
    const reads: number[] = [];
    const newestKeys = countedBy(reads, ports.logs.newestKeys);
    for (const back of [1200, 2500]) {
      const cursor = `${now}-${MOMENT.getTime() + 2500 - back}-00000000-0000-0000-0000-000000000000`;
      const { reader } = await streaming({ ...ports, logs: { ...ports.logs, newestKeys } }).open(record, {
        cursor,
      });
      expect(await reader.take(1)).toEqual(['unknown_cursor']);
    }
    expect(reads).toHaveLength(2);
  });

  test('the cursor of another log is unknown', async (ports) => {
    const [record, other] = [await aRecordIn(ports), await aRecordIn(ports)];
    const { reader } = await streaming(ports).open(other);
    await store(ports, other, 1);
    await reader.take(1);
    const resumed = await streaming(ports).open(record, { cursor: reader.cursor });
    expect(await resumed.reader.take(1)).toEqual(['unknown_cursor']);
  });

  test('a stream whose next entries are no longer kept reports a reset, and continues from now', async (ports) => {
    const record = await aRecordIn(ports);
    const { reader } = await streaming(ports).open(record);
    await store(ports, record, 5);
    await reader.take(2);
    const open = await streaming(ports).open(record, { cursor: reader.cursor });
    await droppedBy(ports.retention.sequence(0));
    expect(await open.reader.take(1)).toEqual(['unknown_cursor']);
    const late = await streaming(ports).open(record, { cursor: reader.cursor });
    const ids = await store(ports, record, 2);
    expect(await late.reader.take(3)).toEqual(['unknown_cursor', ...ids]);
  });

  test('a stream of a log that has been forgotten since reports a reset, and continues', async (ports) => {
    const record = await aRecordIn(ports);
    const { steps } = await streaming(ports).open(record);
    await steps.next();
    await droppedBy(ports.retention.followedLogs(0));
    expect(await steps.next()).toMatchObject({ value: { reset: 'unknown_cursor', entries: [] } });
    const [id] = await store(ports, record, 1);
    expect(await steps.next()).toMatchObject({ value: { entries: [{ entry: { id } }] } });
  });

  test('a waiting stream is reset as soon as its log is forgotten, and continues', async (ports) => {
    const record = await aRecordIn(ports);
    const reads: number[] = [];
    const sequence = { ...ports.sequence, after: countedBy(reads, ports.sequence.after) };
    const { reader } = await streaming({ ...ports, sequence }).open(record);
    const taken = reader.take(2);
    await expect.poll(() => ports.wakeUps.isLive && reads.length > 0).toBe(true);
    const { cursor } = reader;
    // The stream follows the log again at once, which must not be forgotten in the same run.
    await expect.poll(() => droppedBy(ports.retention.followedLogs(1_000))).toBeGreaterThan(0);
    await expect.poll(() => reader.cursor).not.toBe(cursor);
    const ids = await store(ports, record, 1);
    expect(await taken).toEqual(['unknown_cursor', ...ids]);
  });

  test('a stream continues after temporary failures', async (ports) => {
    const record = await aRecordIn(ports);
    let failures = 0;
    const failing = async (): Promise<void> => {
      if (failures-- > 0) throw new DomainError('unavailable', 'The database is unavailable.');
    };
    const sequence: LogSequence = {
      ...ports.sequence,
      after: (log, position) => failing().then(() => ports.sequence.after(log, position)),
    };
    const find: LogPorts['logs']['find'] = (...args) => failing().then(() => ports.logs.find(...args));
    const cursor = await cursorNow(ports, record);
    const ids = await store(ports, record, 2);
    const failingPorts = { ...ports, sequence, logs: { ...ports.logs, find } };
    const resumed = await streaming(failingPorts).open(record, { cursor });
    failures = 5;
    expectResumable([await resumed.reader.take(2)], ids);
    expect(failures).toBeLessThan(0);
  });

  test('streams at one position share their reads', async (ports) => {
    const record = await aRecordIn(ports);
    let reads = 0;
    const find: LogPorts['logs']['find'] = (...args) => {
      reads += 1;
      return ports.logs.find(...args);
    };
    const { open } = streaming({ ...ports, logs: { ...ports.logs, find } });
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(record)));
    const taken = streams.map(({ reader }) => reader.take(3));
    const ids = await store(ports, record, 3);
    for (const each of taken) expectGuarantees(await each, ids);
    expect(reads).toBeLessThan(5);
  });

  test('entries of a dropped day are left out, and the others arrive', async (ports) => {
    const record = await aRecordIn(ports);
    const old = MOMENT.getTime() - 300 * DAY_MS;
    const { reader } = await streaming(ports).open(record);
    await store(ports, record, 5, () => ({ timestamp: old }));
    const dropped = await ports.upkeep.dropOverdue(1);
    expect(dropped.length).toBeGreaterThan(0);
    const ids = await store(ports, record, 2, () => ({ timestamp: Date.now() }));
    expectGuarantees(await reader.take(2), ids);
  });

  const FILTERS: readonly Partial<LogFilter>[] = [
    { types: ['ERROR', 'OWN_TYPE'] },
    { source: 'CONSOLE', types: ['LOG'] },
    { instanceId: '0197a3f0-2222-7222-8333-944455556666' },
    { after: new Date(MOMENT.getTime() + 20), before: new Date(MOMENT.getTime() + 60) },
    { search: 'ISTANBUL' },
    { search: 'İstanbul' },
    { search: 'οδος' },
    { search: 'straße' },
    { search: '100%_\\' },
    { search: 'É' },
    { search: 'ǆ' },
    { search: 'no such text' },
  ];
  const MESSAGES = [
    'İstanbul ISTANBUL',
    'ΟΔΟΣ',
    'STRASSE Straße',
    '100%_\\ 100x',
    'é É',
    'Ǆ ǅ ǆ',
    'K å ﬁ',
    '',
  ];

  for (const filter of FILTERS) {
    test(`a stream with the filter ${JSON.stringify(filter)} matches the listing`, async (ports) => {
      const record = await aRecordIn(ports);
      const pick = <T>(from: readonly T[], i: number): T => from[i % from.length] as T;
      const { reader } = await streaming(ports).open(record, { filter: { ...EVERY, ...filter } });
      await store(ports, record, 90, (i) => ({
        ...at(i),
        type: pick(['LOG', 'ERROR', 'OWN_TYPE'], i),
        source: pick(['PLUGIN', 'CONSOLE'], i),
        message: pick(MESSAGES, i),
        instanceId: `0197a3f0-${pick(['1111', '2222'], i >>> 2)}-7222-8333-944455556666`,
      }));
      const listed = (await logOf(ports, record, filter)).map(({ id }) => id).toReversed();
      const taken = reader.take(listed.length + 1);
      const last = await store(ports, record, 1, () => ({
        ...at(40),
        type: filter.types?.at(-1) ?? 'LOG',
        source: filter.source ?? 'PLUGIN',
        message: filter.search ?? 'last',
        instanceId: filter.instanceId ?? '0197a3f0-1111-7222-8333-944455556666',
      }));
      expectGuarantees(await taken, [...listed, ...last]);
    });
  }

  test('a stream skips an entry that is no longer in the log', async (ports) => {
    const record = await aRecordIn(ports);
    const gone = new Set<string | undefined>();
    const find: LogPorts['logs']['find'] = async (log, keys, maxBytes) =>
      (await ports.logs.find(log, keys, maxBytes)).filter(({ id }) => !gone.has(id));
    const { reader } = await streaming({ ...ports, logs: { ...ports.logs, find } }).open(record);
    const ids = await store(ports, record, 4);
    gone.add(ids[1]);
    const more = await store(ports, record, 1);
    expectGuarantees(await reader.take(4), [...ids.filter((id) => !gone.has(id)), ...more]);
  });
}
