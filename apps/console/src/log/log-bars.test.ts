import { expect, test } from 'vitest';
import { barRangeOf, barsOf, barsText, countsQueryOf } from './log-bars.ts';

const NOW = Date.parse('2026-03-10T12:34:56.000Z');
const shown = ({ granularity, from, to }: ReturnType<typeof barRangeOf>) =>
  [granularity, new Date(from).toISOString(), new Date(to).toISOString()].join(' ');

test.each([
  ['', '', 'hour 2026-03-09T12:00:00.000Z 2026-03-10T13:00:00.000Z'],
  ['2026-03-10T11:00:00Z', '', 'hour 2026-03-10T11:00:00.000Z 2026-03-10T13:00:00.000Z'],
  ['2026-03-01T10:00:00Z', '', 'day 2026-03-01T00:00:00.000Z 2026-03-11T00:00:00.000Z'],
  ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z', 'hour 2026-03-01T10:00:00.000Z 2026-03-01T11:00:00.000Z'],
  ['', '2026-03-05T00:00:00Z', 'day 2026-02-26T00:00:00.000Z 2026-03-05T00:00:00.000Z'],
  ['yesterday', 'today', 'hour 2026-03-09T12:00:00.000Z 2026-03-10T13:00:00.000Z'],
])('a log from "%s" until "%s" is charted by %s', (from, to, range) => {
  expect(shown(barRangeOf({ from, to }, NOW))).toBe(range);
});

test('a range that ends before it starts has a single bar', () => {
  const range = barRangeOf({ from: '2026-03-10T11:00:00Z', to: '2026-03-10T10:00:00Z' }, NOW);
  expect(shown(range)).toBe('hour 2026-03-10T09:00:00.000Z 2026-03-10T10:00:00.000Z');
});

test('counts are only available for known types and sources, and not for searches', () => {
  const of = { types: [], source: '', search: '', instance: '' };
  const range = barRangeOf({ from: '', to: '' }, NOW);
  expect(countsQueryOf({ ...of, types: ['ERROR'], source: 'PLUGIN' }, range)).toMatchObject({
    type_filter: ['ERROR'],
    source: 'PLUGIN',
  });
  expect(countsQueryOf({ ...of, types: ['ERROR', 'OWN'] }, range)).toBeNull();
  expect(countsQueryOf({ ...of, source: 'OWN' }, range)).toBeNull();
  expect(countsQueryOf({ ...of, search: 'timeout' }, range)).toBeNull();
  expect(countsQueryOf({ ...of, instance: 'eu-1' }, range)).toBeNull();
});

test('a chart says how many entries it counts, and how many at most in a bar', () => {
  const counts = [
    { start: '2026-03-10T10:00:00.000Z', count: 1200, types: {} },
    { start: '2026-03-10T11:00:00.000Z', count: 4, types: {} },
  ];
  const hours = barRangeOf({ from: '2026-03-10T09:00:00Z', to: '2026-03-10T12:00:00Z' }, NOW);
  expect(barsText(barsOf(counts, hours))).toBe('1,204 entries, at most 1,200 per hour');
  const days = barRangeOf({ from: '2026-03-01T10:00:00Z', to: '' }, NOW);
  expect(barsText(barsOf([], days))).toBe('0 entries, at most 0 per day');
});

test('bars have errors at the bottom, and the largest bar has full height', () => {
  const range = barRangeOf({ from: '2026-03-10T10:00:00Z', to: '2026-03-10T12:00:00Z' }, NOW);
  const counts = [{ start: '2026-03-10T11:00:00.000Z', count: 10, types: { INFO: 7, other: 1, ERROR: 2 } }];
  expect(barsOf(counts, range).map(({ count, parts }) => [count, parts])).toEqual([
    [0, []],
    [
      10,
      [
        { type: 'ERROR', count: 2, share: 0.2 },
        { type: 'INFO', count: 7, share: 0.7 },
        { type: 'other', count: 1, share: 0.1 },
      ],
    ],
  ]);
});
