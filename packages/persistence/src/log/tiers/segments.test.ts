import { DAY_MS } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { segmentsOf } from './segments.ts';

const day = (number: number) => ({ day: number * DAY_MS, run: 1 });
const H = DAY_MS / 24;

function shown(earliest: number, to: number, days: readonly number[]) {
  return segmentsOf({ earliest, to }, days.map(day)).map(
    (one) => `${one.from / H}-${one.to / H}${one.days.length > 0 ? ` archived ${one.days.length}` : ''}`,
  );
}

test.each([
  [2, 75, [], ['2-75']],
  [2, 75, [2, 1], ['72-75', '24-72 archived 2', '2-24']],
  [30, 40, [2, 1], ['30-40 archived 1']],
  [30, 70, [2, 1, 0], ['30-70 archived 2']],
  [0, 96, [3, 1], ['72-96 archived 1', '48-72', '24-48 archived 1', '0-24']],
  [49, 96, [1, 0], ['49-96']],
] as const)('splits the hours %s to %s by the archived days %j', (earliest, to, days, expected) => {
  expect(shown(earliest * H, to * H, days)).toEqual(expected);
});
