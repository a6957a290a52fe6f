import { expect, test } from 'vitest';
import { risingIds } from './rising-ids.ts';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MANY = 100_000;

test('each id is greater than the one before, however many a millisecond has', () => {
  const next = risingIds(() => 1_767_268_800_123);
  const ids = Array.from({ length: MANY }, next);
  expect(ids.every((id) => UUID_7.test(id))).toBe(true);
  expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? ''))).toBe(true);
});

test('ids ascend even if the clock is set back', () => {
  const times = [2000, 1000, 1500, 3000];
  let at = 0;
  const next = risingIds(() => times[at] ?? 0);
  const ids = times.map((_, i) => {
    at = i;
    return next();
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(Number.parseInt(ids[3]?.slice(9, 13) ?? '', 16)).toBe(3000);
});
