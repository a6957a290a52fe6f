import { ingest } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aDelivery, anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import { storeEntries } from '../store-entries.ts';
import type { TestWith } from '../test-with.ts';
import { calendar } from './calendar.ts';
import { droppedBy } from './dropped-by.ts';
import { EVERY, logOf } from './log-of.ts';
import { WHOLE } from './read-state.ts';

export function logUpkeepContract(test: TestWith<LogPorts>): void {
  test('a day is dropped as a whole, to the millisecond', async (ports) => {
    const day = await calendar();
    const record = await aRecord(ports, await aFamily(ports));
    const times = [day(-8), day(-7) - 1, day(-7), day(-6) - 1, day(0)];
    await ingest(
      ports,
      times.map((timestamp) => anEntry(record, { timestamp })),
    );
    expect(await ports.upkeep.overdue(7)).toEqual([new Date(day(-8))]);
    expect(await ports.upkeep.dropOverdue(7)).toEqual([new Date(day(-8))]);
    expect((await logOf(ports, record)).map(({ timestamp }) => timestamp.getTime())).toEqual(
      times.slice(2).toReversed(),
    );
    expect([await ports.upkeep.overdue(7), await ports.upkeep.dropOverdue(7)]).toEqual([[], []]);
    expect(await ports.upkeep.dropOverdue(6)).toEqual([new Date(day(-7))]);
    expect(await logOf(ports, record, { types: ['LOG'] })).toHaveLength(1);
  });

  test('entries of a dropped day are too old from then on', async (ports) => {
    const day = await calendar();
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: day(-5) })]);
    await ports.upkeep.dropOverdue(4);
    const late = { timestamp: day(-4) - 1 };
    const earlier = { timestamp: day(-9) };
    const messages = [
      anEntry(record, late),
      aDelivery(record, late),
      anEntry(record, earlier),
      anEntry(record, { timestamp: day(-4) }),
    ];
    expect(await ingest(ports, messages)).toEqual(['too_old', 'too_old', 'too_old', 'stored']);
    expect(await ports.deadLetters.count()).toBe(3);
    const [entry] = await logOf(ports, record);
    const old = entry && { ...entry, timestamp: new Date(late.timestamp) };
    expect(await storeEntries(ports, old ? [old] : [])).toEqual(['too_old']);
    expect(await logOf(ports, record)).toEqual([entry]);
  });

  test('the earliest retained day follows the last dropped day', async (ports) => {
    const day = await calendar();
    expect(await ports.upkeep.earliestKept()).toBe(Number.NEGATIVE_INFINITY);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: day(-5) }), anEntry(record, { timestamp: day(0) })]);
    await ports.upkeep.dropOverdue(4);
    expect(await ports.upkeep.earliestKept()).toBe(day(-4));
    expect(await ports.stores.withBatch(({ days }) => days.earliestKept())).toBe(day(-4));
  });

  test('the counts of a dropped day are no longer read, and are deleted later', async (ports) => {
    const day = await calendar();
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(
      ports,
      [day(-3), day(-2) - 1, day(-2), day(-1)].map((timestamp) => anEntry(record, { timestamp })),
    );
    await ports.upkeep.sumUpProjects();
    const range = { granularity: 'day', from: day(-9), to: day(1) } as const;
    const counts = async () => {
      const filter = { types: [], source: null };
      const [ofLog, ofProject] = [
        await ports.logCounts.ofLog(record, range, filter),
        await ports.logCounts.ofProject(record.projectId, range, filter),
      ];
      expect(ofProject).toEqual(ofLog);
      return ofLog.map(({ start, count }) => [start.getTime(), count]);
    };
    expect(await droppedBy(ports.retention.logCounts(0))).toBe(0);
    expect(await ports.upkeep.dropOverdue(2)).toEqual([new Date(day(-3))]);
    const left = [
      [day(-2), 1],
      [day(-1), 1],
    ];
    expect(await counts()).toEqual(left);
    expect(await droppedBy(ports.retention.logCounts(0))).toBe(4);
    expect(await droppedBy(ports.retention.logCounts(0))).toBe(0);
    expect(await counts()).toEqual(left);
  });

  test('today and later days are never dropped', async (ports) => {
    const day = await calendar();
    const record = await aRecord(ports, await aFamily(ports));
    const times = [-1, 0, 1].map(day);
    await ingest(
      ports,
      times.map((timestamp) => anEntry(record, { timestamp })),
    );
    expect(await ports.upkeep.dropOverdue(1)).toEqual([]);
    expect(await logOf(ports, record)).toHaveLength(3);
  });

  test('pages stay consistent and batches are stored while days are dropped', async (ports) => {
    const day = await calendar();
    const record = await aRecord(ports, await aFamily(ports));
    const days = [-6, -5, -4, -3, -2, -1];
    await ingest(
      ports,
      days.flatMap((n) => Array.from({ length: 20 }, (_, i) => anEntry(record, { timestamp: day(n) + i }))),
    );
    const dropping = async (): Promise<void> => {
      for (const n of days) await ports.upkeep.dropOverdue(-n);
    };
    // More readers would block each other, and time out on a slow machine.
    const reading = [EVERY, { ...EVERY, types: ['LOG', 'WARN'] }].map(async (filter) => {
      for (let reads = 0; reads < 8; reads++) {
        const { count, items } = await ports.logs.page(record, filter, WHOLE);
        expect(items).toHaveLength(count);
      }
    });
    const writing = Array.from({ length: 16 }, async (_, i) => {
      const [outcome] = await ingest(ports, [
        anEntry(record, { timestamp: day(-1 - (i % 5)), type: 'WARN' }),
      ]);
      expect(['stored', 'too_old']).toContain(outcome);
    });
    await Promise.all([dropping(), ...reading, ...writing]);
    await ports.upkeep.dropOverdue(1);
    expect(await logOf(ports, record, { types: ['LOG'] })).toHaveLength(20);
  });
}
