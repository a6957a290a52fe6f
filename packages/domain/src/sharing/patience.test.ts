import { expect, test } from 'vitest';
import { patience } from './patience.ts';

test('patience runs down with the clock that it was given', () => {
  let now = 1000;
  const { left } = patience(400, () => now);
  expect(left()).toBe(400);
  now += 401;
  expect(left()).toBe(-1);
});
