import { RESTART_PAUSES } from '@plugin-config/supervision';
import { expect, test } from 'vitest';
import { GROUP_POLICY } from './group-policy.ts';

test('a group pauses as every supervisor does', () => {
  expect(GROUP_POLICY).toMatchObject(RESTART_PAUSES);
});

test('a process is killed after half a minute without an answer, and is ready within a minute or given up', () => {
  const { askEveryMs, unansweredMax, readyWithinMs } = GROUP_POLICY;
  expect({ hungMs: askEveryMs * unansweredMax, readyWithinMs }).toEqual({
    hungMs: 30_000,
    readyWithinMs: 60_000,
  });
});
