import { expect, test } from 'vitest';
import { pauseAfter, RESTART_POLICY } from './restart-policy.ts';

const AT_ONCE = 10;

test('the pauses double up to the longest', () => {
  let pause: number | undefined;
  const pauses = Array.from({ length: 8 }, () => (pause = pauseAfter(pause, AT_ONCE, RESTART_POLICY)));
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
});

test('after a healthy minute the pauses start over', () => {
  expect(pauseAfter(10_000, 60_000, RESTART_POLICY)).toBe(200);
});
