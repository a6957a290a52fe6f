import { DAY_MS, keepLogs, startOfDay } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { aDelivery, anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import { fixedClock } from '../memory/fixed-clock.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY, logOf } from './log-reading.ts';
import { WHOLE } from './reading.ts';

const TODAY = startOfDay(MOMENT.getTime());

function day(n: number): Date {
  return new Date(TODAY + n * DAY_MS);
}

export function logUpkeepContract(test: TestWith<LogPorts>): void {
  test('entries need no day to be prepared, and a prepared one changes nothing', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.upkeep.prepare([day(-1), day(0)]);
    await ports.store.store([-3, -1, 0, 1].map((n) => anEntry(record, { timestamp: TODAY + n * DAY_MS })));
    await ports.upkeep.prepare([day(-1), day(0), day(1), day(2)]);
    expect((await logOf(ports, record)).map(({ timestamp }) => timestamp)).toEqual([
      day(1),
      day(0),
      day(-1),
      day(-3),
    ]);
  });

  test('a day is dropped whole, to the millisecond', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.upkeep.prepare([-2, -1, 0].map(day));
    const times = [TODAY - DAY_MS - 1, TODAY - DAY_MS, TODAY - 1, TODAY];
    await ports.store.store(times.map((timestamp) => anEntry(record, { timestamp })));
    expect(await ports.upkeep.dropBefore(day(-1))).toEqual([day(-2)]);
    expect((await logOf(ports, record)).map(({ timestamp }) => timestamp.getTime())).toEqual(
      times.slice(1).toReversed(),
    );
    expect(await ports.upkeep.dropBefore(day(-1))).toEqual([]);
    expect(await ports.upkeep.dropBefore(day(0))).toEqual([day(-1)]);
    expect(await logOf(ports, record, { types: ['LOG'] })).toHaveLength(1);
  });

  test('what falls on a dropped day is too old, and stays so', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.upkeep.prepare([day(-1), day(0)]);
    await ports.upkeep.dropBefore(day(0));
    await ports.upkeep.prepare([-3, -2, -1, 0].map(day));
    const late = { timestamp: TODAY - 1 };
    const messages = [anEntry(record, late), aDelivery(record, late), anEntry(record, { timestamp: TODAY })];
    expect(await ports.store.store(messages)).toEqual(['too_old', 'too_old', 'stored']);
    expect(await ports.letters.count()).toBe(2);
    const [entry] = await logOf(ports, record);
    const old = entry && { ...entry, timestamp: day(-1) };
    expect(await ports.logs.append(old ? [old] : [])).toEqual({ stored: 0, duplicates: 0 });
  });

  test('the chore keeps the retention, and today', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.upkeep.prepare([-9, -8, -7, -1].map(day));
    await ports.store.store([-8, -7, 0, 1].map((n) => anEntry(record, { timestamp: TODAY + n * DAY_MS })));
    expect(await keepLogs({ ...ports, clock: fixedClock(), retentionDays: 7 })).toEqual([day(-9), day(-8)]);
    expect((await logOf(ports, record)).map(({ timestamp }) => timestamp)).toEqual([day(1), day(0), day(-7)]);
    expect(await keepLogs({ ...ports, clock: fixedClock(), retentionDays: 7 })).toEqual([]);
  });

  test('while days are dropped, every page counts what it lists, and every batch finds its place', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const days = [-5, -4, -3, -2, -1, 0];
    await ports.upkeep.prepare(days.map(day));
    await ports.store.store(
      days.flatMap((n) =>
        Array.from({ length: 20 }, (_, i) => anEntry(record, { timestamp: TODAY + n * DAY_MS + i })),
      ),
    );
    const dropping = async (): Promise<void> => {
      for (const n of days) await ports.upkeep.dropBefore(day(n));
    };
    const reading = Array.from({ length: 40 }, async (_, i) => {
      const filter = i % 2 === 0 ? EVERY : { ...EVERY, types: ['LOG', 'WARN'] };
      const { count, items } = await ports.logs.page(record, filter, WHOLE);
      expect(items).toHaveLength(count);
    });
    const writing = Array.from({ length: 40 }, async (_, i) => {
      const [outcome] = await ports.store.store([
        anEntry(record, { timestamp: TODAY - (i % 5) * DAY_MS, type: 'WARN' }),
      ]);
      expect(['stored', 'too_old']).toContain(outcome);
    });
    await Promise.all([dropping(), ...reading, ...writing]);
    await ports.upkeep.dropBefore(day(0));
    expect(await logOf(ports, record, { types: ['LOG'] })).toHaveLength(20);
  });
}
