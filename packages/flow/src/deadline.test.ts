import { expect, test } from 'vitest';
import { deadline } from './deadline.ts';

test('a deadline runs out by the given clock', () => {
  let now = 1000;
  const { remainingMs } = deadline(400, () => now);
  expect(remainingMs()).toBe(400);
  now += 401;
  expect(remainingMs()).toBe(-1);
});
