import { DAY_MS, ingest } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { countsInMemory } from './counts-in-memory.ts';
import { seededPick } from './seeded-pick.ts';

const HOUR_MS = 3_600_000;
const TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR', 'OWN', 'OWN_2'];
const SOURCES = ['SYSTEM', 'PLUGIN', 'CONSOLE', 'OWN'];
const ENTRIES = 900;
const QUERIES = 24;
const ALL = { types: [], source: null };

const startOf = (time: number, width: number): number => Math.floor(time / width) * width;

/** Compares counts over time with counting in memory. */
export function logCountsContract(test: TestWith<LogPorts>): void {
  test('the counts of a log and of its project equal those in memory, even with duplicates', async (ports) => {
    const pick = seededPick(7);
    const family = await aFamily(ports);
    const records = [await aRecord(ports, family), await aRecord(ports, family)];
    const [first = { projectId: 0, id: 0 }] = records;
    const other = await aRecord(ports, await aFamily(ports));
    const now = MOMENT.getTime();
    const entries = Array.from({ length: ENTRIES }, (_, i) =>
      anEntry(records[i % 2] ?? first, {
        timestamp: now - pick(3 * DAY_MS),
        type: TYPES[pick(TYPES.length)] ?? '',
        source: SOURCES[pick(SOURCES.length)] ?? '',
      }),
    );
    for (let at = 0; at < ENTRIES; at += 300) {
      const batch = entries.slice(at, at + 300);
      await Promise.all([
        ingest(ports, batch),
        ingest(ports, batch.slice(100)),
        ingest(ports, [anEntry(other)]),
      ]);
      if (at === 300) await ports.upkeep.sumUpProjects();
    }
    await Promise.all([ports.upkeep.sumUpProjects(), ports.upkeep.sumUpProjects()]);
    for (let query = 0; query < QUERIES; query++) {
      const granularity = query % 2 === 0 ? 'hour' : 'day';
      const width = granularity === 'hour' ? HOUR_MS : DAY_MS;
      const from = startOf(now - pick(4 * DAY_MS), width);
      const range = { granularity, from, to: from + (1 + pick(80)) * width } as const;
      const words = {
        types: [[], ['ERROR'], ['LOG', 'WARN']][pick(3)] ?? [],
        source: [null, 'SYSTEM', 'PLUGIN', 'CONSOLE'][pick(4)] ?? null,
      };
      const own = entries.filter(({ recordId }) => recordId === first.id);
      expect({ range, counts: await ports.logCounts.ofLog(first, range, words) }).toEqual({
        range,
        counts: countsInMemory(own, range, words),
      });
      expect({ range, counts: await ports.logCounts.ofProject(first.projectId, range, words) }).toEqual({
        range,
        counts: countsInMemory(entries, range, words),
      });
    }
  });

  test('a log of another project has no counts', async (ports) => {
    const [record, other] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    await ingest(ports, [anEntry(record)]);
    await ports.upkeep.sumUpProjects();
    const from = startOf(MOMENT.getTime() - 10 * DAY_MS, DAY_MS);
    const range = { granularity: 'day', from, to: from + 20 * DAY_MS } as const;
    const count = async (log: { readonly projectId: number; readonly id: number }) =>
      (await ports.logCounts.ofLog(log, range, ALL)).reduce((sum, bucket) => sum + bucket.count, 0);
    expect(await count(record)).toBe(1);
    expect(await count({ ...record, projectId: other.projectId })).toBe(0);
    expect(await ports.logCounts.ofProject(other.projectId, range, ALL)).toEqual([]);
  });
}
