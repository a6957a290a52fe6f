import { expect, test } from 'vitest';
import { logRange } from './log-counts.ts';

const NOW = new Date('2026-03-10T12:34:56.789Z');
const HOURS = { granularity: 'hour', from: null, to: null } as const;

test.each([
  [HOURS, '2026-03-09T12:00:00.000Z', '2026-03-10T13:00:00.000Z'],
  [{ ...HOURS, granularity: 'day' }, '2026-03-09T00:00:00.000Z', '2026-03-11T00:00:00.000Z'],
  [
    { ...HOURS, from: new Date('2026-03-01T10:30:00Z'), to: new Date('2026-03-01T11:00:00Z') },
    '2026-03-01T10:00:00.000Z',
    '2026-03-01T11:00:00.000Z',
  ],
] as const)('the bounds %j are widened to whole buckets', (query, from, to) => {
  const range = logRange(query, NOW);
  expect([range.from, range.to].map((time) => new Date(time).toISOString())).toEqual([from, to]);
});
