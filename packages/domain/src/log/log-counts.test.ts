import { expect, test } from 'vitest';
import { readLogCounts, type LogRange } from './log-counts.ts';

const NOW = new Date('2026-03-10T12:34:56.789Z');

async function rangeOf(query: { from?: string; to?: string; granularity?: 'hour' | 'day' }) {
  const ranges: LogRange[] = [];
  const logCounts = {
    ofLog: async (_: unknown, range: LogRange) => {
      ranges.push(range);
      return [];
    },
    ofProject: async () => [],
  };
  await readLogCounts(
    { logCounts, clock: { now: () => NOW } },
    { projectId: 1, id: 2 },
    {
      granularity: query.granularity ?? 'hour',
      from: query.from === undefined ? null : new Date(query.from),
      to: query.to === undefined ? null : new Date(query.to),
      types: [],
      source: null,
    },
  );
  const [range] = ranges;
  return [range?.from, range?.to].map((time) => new Date(time ?? 0).toISOString());
}

test.each([
  [{}, '2026-03-09T12:00:00.000Z', '2026-03-10T13:00:00.000Z'],
  [{ granularity: 'day' }, '2026-03-09T00:00:00.000Z', '2026-03-11T00:00:00.000Z'],
  [
    { from: '2026-03-01T10:30:00Z', to: '2026-03-01T11:00:00Z' },
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T11:00:00.000Z',
  ],
] as const)('the bounds %j are widened to whole buckets', async (query, from, to) => {
  expect(await rangeOf(query)).toEqual([from, to]);
});
