import { expect, test } from 'vitest';
import { runtimeStateOf, runtimesSummaryOf } from './runtime-state.ts';

const CURRENT = { online: true, status: 'applied', current: true, failed: [] } as const;

test('a runtime is described as online, failed and behind', () => {
  expect(runtimeStateOf(CURRENT)).toBe('Online, running the current version');
  expect(runtimeStateOf({ ...CURRENT, current: false })).toBe('Online, running an older version');
  const failed = { ...CURRENT, status: 'failed' } as const;
  expect(runtimeStateOf(failed)).toBe('Online, could not apply the current version');
  expect(runtimeStateOf({ ...failed, failed: [{ id: 1, error: 'No host' }] })).toBe(
    'Online, could not apply 1 record of the current version',
  );
  expect(runtimeStateOf({ ...failed, online: false, current: false })).toBe(
    'Offline, could not apply an older version',
  );
});

test('only online runtimes count as behind or failed', () => {
  const behind = { ...CURRENT, current: false };
  const gone = { ...behind, online: false, status: 'failed' } as const;
  expect(runtimesSummaryOf([CURRENT])).toBe('1 of 1 online');
  const all = [CURRENT, behind, { ...behind, status: 'failed' } as const, gone];
  expect(runtimesSummaryOf(all)).toBe('3 of 4 online, 2 behind, 1 failed');
});
