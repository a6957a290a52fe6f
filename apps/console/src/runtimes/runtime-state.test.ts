import { expect, test } from 'vitest';
import { runtimeConditionOf, runtimeStateOf, runtimesSummaryOf } from './runtime-state.ts';

const CURRENT = { online: true, status: 'applied', current: true, failed: [] } as const;

test('a runtime is described as online, failed and behind', () => {
  expect(runtimeStateOf(CURRENT)).toBe('Online, running the current version');
  expect(runtimeStateOf({ ...CURRENT, current: false })).toBe('Online, running an older version');
  const failed = { ...CURRENT, status: 'failed' } as const;
  expect(runtimeStateOf(failed)).toBe('Online, could not apply the current version');
  expect(runtimeStateOf({ ...failed, failed: [{ id: 1, error: 'No host' }] })).toBe(
    'Online, could not apply 1 record of the current version',
  );
  expect(runtimeStateOf({ ...CURRENT, online: false })).toBe('Offline, last ran the current version');
  expect(runtimeStateOf({ ...failed, online: false, current: false })).toBe(
    'Offline, could not apply an older version',
  );
});

test('the condition of a runtime is the worst of its report while it is online', () => {
  const failed = { ...CURRENT, status: 'failed' } as const;
  expect(
    [CURRENT, { ...CURRENT, current: false }, failed, { ...failed, online: false }].map(runtimeConditionOf),
  ).toEqual(['current', 'behind', 'failed', 'offline']);
});

test('only online runtimes count as behind or failed', () => {
  const behind = { ...CURRENT, current: false };
  const gone = { ...behind, online: false, status: 'failed' } as const;
  expect(runtimesSummaryOf([CURRENT])).toBe('1 of 1 online');
  const all = [CURRENT, behind, { ...behind, status: 'failed' } as const, gone];
  expect(runtimesSummaryOf(all)).toBe('3 of 4 online, 2 behind, 1 failed');
});
