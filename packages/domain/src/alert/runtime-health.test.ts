import { expect, test } from 'vitest';
import { failingRuntimes, type RuntimeHealth } from './runtime-health.ts';

const END = new Date('2026-03-01T12:00:00Z');
const before = (minutes: number): Date => new Date(END.getTime() - minutes * 60_000);
const MOMENT = { current: 'new', start: before(10), end: END };

const aRuntime = (given: Partial<RuntimeHealth> = {}): RuntimeHealth => ({
  version: 'new',
  hasReadAll: false,
  versionSince: before(60),
  lastSeenAt: before(1),
  failed: new Set(),
  ...given,
});

const count = (runtimes: readonly RuntimeHealth[], updatedAt: Date, current: string | null = 'new'): number =>
  failingRuntimes(runtimes, { ...MOMENT, current })({ id: 7, updatedAt });

test('counts the online runtimes that failed the record', () => {
  const failed = new Set([6, 7]);
  const runtimes = [aRuntime({ failed }), aRuntime({ failed, lastSeenAt: before(4) }), aRuntime()];
  expect(count(runtimes, before(500))).toBe(1);
  expect(count(runtimes, before(500), null)).toBe(1);
});

test('counts the runtimes that still have the version from before a change that is older than the window', () => {
  const behind = aRuntime({ version: 'old', versionSince: before(60) });
  expect(count([behind, aRuntime()], before(20))).toBe(1);
  expect(count([behind], before(10))).toBe(1);
  expect(count([behind], before(9))).toBe(0);
  expect(count([{ ...behind, lastSeenAt: before(4) }], before(20))).toBe(0);
  expect(count([behind], before(20), null)).toBe(0);
});

test('a runtime that took its version after the change to the record is behind on another record', () => {
  expect(count([aRuntime({ version: 'old', versionSince: before(15) })], before(20))).toBe(0);
});

test('a runtime that failed the record and is behind counts once', () => {
  const both = aRuntime({ version: 'old', failed: new Set([7]) });
  expect(count([both], before(20))).toBe(1);
});

test('a host of several projects is behind as long as it has not read the change', () => {
  const behind = aRuntime({ version: null, versionSince: before(40) });
  const others = [
    { ...behind, hasReadAll: true },
    { ...behind, versionSince: before(20) },
  ];
  expect(count([behind, ...others], before(30))).toBe(1);
  expect(count([behind], before(5))).toBe(0);
});
