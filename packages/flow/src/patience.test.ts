import { expect, test } from 'vitest';
import { patience } from './patience.ts';

test('patience runs out by the given clock', () => {
  let now = 1000;
  const { left } = patience(400, () => now);
  expect(left()).toBe(400);
  now += 401;
  expect(left()).toBe(-1);
});
