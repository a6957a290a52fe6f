import { expect, test } from 'vitest';
import { clockSkew, skewProblem } from './clock.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');

function reading(before: number, after: number) {
  return { database: new Date(NOW), before: new Date(NOW + before), after: new Date(NOW + after) };
}

test('a difference within the query duration is not skew', () => {
  expect([clockSkew(reading(-40_000, 1)), clockSkew(reading(-1, 40_000))]).toEqual([0, 0]);
  expect([clockSkew(reading(5, 10)), clockSkew(reading(-10, -5))]).toEqual([5, -5]);
});

test('a host may be at most half a minute ahead or behind', () => {
  for (const [before, after] of [
    [30_000, 30_010],
    [-30_010, -30_000],
  ] as const) {
    expect(skewProblem(reading(before, after))).toBeNull();
  }
  expect(skewProblem(reading(30_001, 30_002))).toBe(
    "This host's clock says 2026-03-10T12:00:30.002Z, the database's says 2026-03-10T12:00:00.000Z: " +
      'synchronise them to within 30 seconds.',
  );
  expect(skewProblem(reading(-30_002, -30_001))).not.toBeNull();
});
