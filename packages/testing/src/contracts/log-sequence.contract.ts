import {
  SEQUENCE_READ_MAX,
  ingest,
  type ConfigRecord,
  type SequencedEntry,
  type LogPosition,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aLogEntry } from '../builders/a-log-entry.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT, secondsLater } from '../builders/an-author.ts';
import { aDelivery, anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import { storeEntries } from '../store-entries.ts';
import type { TestWith } from '../test-with.ts';
import { droppedBy } from './dropped-by.ts';
import { logOf } from './log-of.ts';

const HOUR_MS = 3_600_000;
const NOWHERE: LogPosition = { epoch: 0, number: 0 };

const aRecordIn = async (ports: LogPorts): Promise<ConfigRecord> => aRecord(ports, await aFamily(ports));

async function followed({ sequence }: LogPorts, record: ConfigRecord): Promise<LogPosition> {
  const [position] = await sequence.follow([record]);
  return position ?? NOWHERE;
}

async function store(
  ports: LogPorts,
  record: ConfigRecord,
  count: number,
  timestamp = MOMENT.getTime(),
): Promise<readonly string[]> {
  const entries = Array.from({ length: count }, () => anEntry(record, { timestamp }));
  await ingest(ports, entries);
  return entries.map(({ id }) => id);
}

const idsOf = (sequence: readonly SequencedEntry[] | null) => sequence?.map(({ id }) => id) ?? null;

export function logSequenceContract(test: TestWith<LogPorts>): void {
  test('entries stored after a log is followed are numbered in order and without gaps', async (ports) => {
    const record = await aRecordIn(ports);
    await store(ports, record, 3);
    const start = await followed(ports, record);
    expect(await ports.sequence.after(record, start)).toEqual([]);
    const ids = [
      ...(await store(ports, record, 2, secondsLater(9).getTime())),
      ...(await store(ports, record, 3)),
    ];
    const sequence = await ports.sequence.after(record, start);
    expect(idsOf(sequence)).toEqual(ids);
    expect(sequence?.map(({ number }) => number - start.number)).toEqual([1, 2, 3, 4, 5]);
    const times = [secondsLater(9), secondsLater(9), MOMENT, MOMENT, MOMENT];
    expect(sequence?.map(({ timestamp }) => timestamp)).toEqual(times);
    const middle = { ...start, number: start.number + 2 };
    expect(idsOf(await ports.sequence.after(record, middle))).toEqual(ids.slice(2));
    expect(await followed(ports, record)).toEqual({ ...start, number: start.number + 5 });
  });

  test('other messages and duplicates get no sequence numbers', async (ports) => {
    const record = await aRecordIn(ports);
    const old = anEntry(record);
    await ingest(ports, [old]);
    const start = await followed(ports, record);
    const entry = anEntry(record);
    await ingest(ports, [old, entry, entry, aDelivery(record)]);
    await ingest(ports, [entry]);
    expect(idsOf(await ports.sequence.after(record, start))).toEqual([entry.id]);
  });

  test('each log has its own sequence numbers, and only while it is followed', async (ports) => {
    const [record, sister, stranger] = [
      await aRecordIn(ports),
      await aRecordIn(ports),
      await aRecordIn(ports),
    ];
    const [ofSister, ofRecord, again] = await ports.sequence.follow([sister, record, sister]);
    expect(again).toEqual(ofSister);
    const starts = new Map([
      [sister.id, ofSister],
      [record.id, ofRecord],
    ]);
    const entries = [record, sister, stranger, record, sister, record].map((of) => anEntry(of));
    await ingest(ports, entries);
    for (const log of [record, sister]) {
      const own = entries.filter(({ recordId }) => recordId === log.id).map((entry) => entry.id);
      expect(idsOf(await ports.sequence.after(log, starts.get(log.id) ?? NOWHERE))).toEqual(own);
    }
    expect(await ports.sequence.after(stranger, starts.get(record.id) ?? NOWHERE)).toBeNull();
    expect(await ports.sequence.after(record, starts.get(sister.id) ?? NOWHERE)).toBeNull();
  });

  test('a log is followed, and its sequence read, only under its own project', async (ports) => {
    const [record, neighbour] = [await aRecordIn(ports), await aRecordIn(ports)];
    const elsewhere = { projectId: neighbour.projectId, id: record.id };
    expect(await ports.sequence.follow([elsewhere, { projectId: record.projectId, id: 999_999 }])).toEqual([
      null,
      null,
    ]);
    const start = await followed(ports, record);
    expect(await ports.sequence.after(elsewhere, start)).toBeNull();
    const ids = await store(ports, record, 2);
    const [own, ...foreign] = await Promise.all(
      [record, elsewhere, { projectId: 999_999, id: record.id }].map((log) =>
        ports.sequence.after(log, start),
      ),
    );
    expect(idsOf(own ?? null)).toEqual(ids);
    expect(foreign).toEqual([null, null]);
  });

  test('the entries of many small batches are read in chunks, and only the last one is short', async (ports) => {
    const record = await aRecordIn(ports);
    const start = await followed(ports, record);
    const ids: string[] = [];
    const batches = [7, ...Array.from({ length: 300 }, () => 1), SEQUENCE_READ_MAX];
    for (const entries of batches) ids.push(...(await store(ports, record, entries)));
    const first = await ports.sequence.after(record, { ...start, number: 3 });
    expect(idsOf(first)).toEqual(ids.slice(3, SEQUENCE_READ_MAX + 3));
    const rest = await ports.sequence.after(record, { ...start, number: SEQUENCE_READ_MAX + 3 });
    expect(idsOf(rest)).toEqual(ids.slice(SEQUENCE_READ_MAX + 3));
  });

  test('an entry has a sequence number or is readable when its log is followed, even if its batch began before', async (ports) => {
    const record = await aRecordIn(ports);
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await store(ports, record, 1);
    const entry = aLogEntry(record);
    const batch = ports.stores.withBatch(async ({ owners, log, sequence }) => {
      await owners.of([record.id]);
      begun.resolve();
      await goOn.promise;
      await sequence.add([entry], await log.append([entry]));
    });
    await begun.promise;
    let isFollowed = false;
    const following = followed(ports, record).finally(() => (isFollowed = true));
    for (let reads = 0; reads < 5; reads++) await logOf(ports, record);
    expect(isFollowed).toBe(false);
    goOn.resolve();
    await batch;
    expect(await ports.sequence.after(record, await following)).toEqual([]);
    expect(await ports.logs.find(record, [entry], 1)).toEqual([entry]);
  });

  test('a position is unknown if its next entry is no longer kept, or if it is ahead', async (ports) => {
    const record = await aRecordIn(ports);
    const start = await followed(ports, record);
    await store(ports, record, 3);
    expect(await droppedBy(ports.retention.sequence(HOUR_MS))).toBe(0);
    expect(await ports.sequence.after(record, start)).toHaveLength(3);
    expect(await droppedBy(ports.retention.sequence(0))).toBeGreaterThan(0);
    expect(await ports.sequence.after(record, start)).toBeNull();
    const last = await followed(ports, record);
    expect(await ports.sequence.after(record, last)).toEqual([]);
    const ids = await store(ports, record, 1);
    expect(idsOf(await ports.sequence.after(record, last))).toEqual(ids);
    expect(await ports.sequence.after(record, { ...start, number: start.number + 1 })).toBeNull();
    expect(await ports.sequence.after(record, { ...last, number: last.number + 2 })).toBeNull();
  });

  test('a log that is forgotten and followed again never repeats a position', async (ports) => {
    const record = await aRecordIn(ports);
    const start = await followed(ports, record);
    await store(ports, record, 3);
    expect(await droppedBy(ports.retention.followedLogs(HOUR_MS))).toBe(0);
    expect(await droppedBy(ports.retention.followedLogs(0))).toBe(1);
    expect(await ports.sequence.after(record, start)).toBeNull();
    await store(ports, record, 3);
    const again = await followed(ports, record);
    expect(again.epoch).not.toBe(start.epoch);
    expect(await ports.sequence.after(record, start)).toBeNull();
    const ids = await store(ports, record, 1);
    expect(idsOf(await ports.sequence.after(record, again))).toEqual(ids);
  });

  test('a follower is woken by a new entry', async (ports) => {
    const record = await aRecordIn(ports);
    const start = await followed(ports, record);
    let wakes = 0;
    const end = ports.wakeUps.listen(record.id, () => void (wakes += 1));
    await expect.poll(async () => store(ports, record, 1).then(() => wakes)).toBeGreaterThan(0);
    end();
    expect((await ports.sequence.after(record, start))?.length).toBeGreaterThan(0);
  });

  test('entries are found by their keys, in the order of the keys, as many as fit', async (ports) => {
    const record = await aRecordIn(ports);
    const [other, ...entries] = ['', 'é', 'second', '', 'last'].map((message, at) =>
      aLogEntry(record, { message, timestamp: secondsLater(-at), type: `T${at}` }),
    );
    await storeEntries(ports, entries);
    const keys = [...entries.toReversed(), ...(other === undefined ? [] : [other])];
    expect(await ports.logs.find(record, keys, 100)).toEqual(entries.toReversed());
    expect(await ports.logs.find(record, keys, 4)).toEqual(entries.toReversed().slice(0, 2));
    expect(await ports.logs.find(record, keys, 1)).toEqual(entries.toReversed().slice(0, 1));
    expect(await ports.logs.find(record, keys.slice(-1), 100)).toEqual([]);
    expect(await ports.logs.find(record, [], 100)).toEqual([]);
  });

  test('entries are found only under their own record and project', async (ports) => {
    const [record, neighbour] = [await aRecordIn(ports), await aRecordIn(ports)];
    const [entry, theirs] = [aLogEntry(record), aLogEntry(neighbour)];
    await storeEntries(ports, [entry, theirs]);
    const logs = [
      { projectId: neighbour.projectId, id: record.id },
      record,
      { projectId: record.projectId, id: neighbour.id },
      neighbour,
      { projectId: 999_999, id: record.id },
    ];
    const found = await Promise.all(logs.map((log) => ports.logs.find(log, [entry, theirs], 100)));
    expect(found).toEqual([[], [entry], [], [theirs], []]);
  });
}
