import { expect, test } from 'vitest';
import { GROUP_POLICY, pauseAfter } from './group-policy.ts';

const AT_ONCE = 10;

test('the pauses double up to the longest', () => {
  let pause = 0;
  const pauses = Array.from({ length: 8 }, () => (pause = pauseAfter(pause, AT_ONCE, GROUP_POLICY)));
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
});

test('after a healthy minute the pauses start over', () => {
  expect(pauseAfter(10_000, 60_000, GROUP_POLICY)).toBe(200);
});

test('a process is killed after half a minute without an answer, and is ready within a minute or given up', () => {
  const { askEveryMs, unansweredMax, readyWithinMs } = GROUP_POLICY;
  expect({ hungMs: askEveryMs * unansweredMax, readyWithinMs }).toEqual({
    hungMs: 30_000,
    readyWithinMs: 60_000,
  });
});
