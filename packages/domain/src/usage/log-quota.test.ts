import { expect, test } from 'vitest';
import { fits, NO_QUOTA, overQuota, quotaOf } from './log-quota.ts';
import { readUsage } from './log-usage.ts';

test('each part of a quota that a project does not set is taken from the settings', () => {
  const setting = { entriesPerDay: 10, bytesPerDay: 1000 };
  expect(quotaOf(NO_QUOTA, setting)).toEqual(setting);
  expect(quotaOf({ entriesPerDay: 5, bytesPerDay: null }, setting)).toEqual({
    entriesPerDay: 5,
    bytesPerDay: 1000,
  });
  expect(quotaOf({ entriesPerDay: null, bytesPerDay: 7 }, NO_QUOTA)).toEqual({
    entriesPerDay: null,
    bytesPerDay: 7,
  });
});

test('an amount fits if it exceeds neither part of the quota', () => {
  const quota = { entriesPerDay: 2, bytesPerDay: 10 };
  expect(fits({ entries: 2, bytes: 10 }, quota)).toBe(true);
  expect(fits({ entries: 3, bytes: 0 }, quota)).toBe(false);
  expect(fits({ entries: 0, bytes: 11 }, quota)).toBe(false);
  expect(fits({ entries: 1e9, bytes: 1e15 }, NO_QUOTA)).toBe(true);
});

test.each([
  ['2026-03-01T00:00:00.000Z', 900],
  ['2026-03-01T23:45:00.000Z', 900],
  ['2026-03-01T23:45:00.001Z', 900],
  ['2026-03-01T23:59:58.500Z', 2],
  ['2026-03-01T23:59:59.999Z', 1],
])('a sender rejected at %s waits %i seconds: until the next day, up to a maximum', (now, seconds) => {
  expect(overQuota(new Date(now))).toMatchObject({ code: 'throttled', retryAfterSeconds: seconds });
});

test('the usage has each of the last days, newest first', async () => {
  const day = new Date('2026-02-28T00:00:00Z');
  const received: unknown[] = [];
  const usage = {
    since: async (projectId: number, from: Date) => {
      received.push(projectId, from);
      return [{ day, entries: 5, bytes: 50, overQuota: 1 }];
    },
  };
  const clock = { now: () => new Date('2026-03-01T09:30:00Z') };
  const days = await readUsage({ usage, clock }, 3);
  expect(received).toEqual([3, new Date('2026-01-30T00:00:00Z')]);
  expect(days).toHaveLength(31);
  expect(days.slice(0, 2)).toEqual([
    { day: new Date('2026-03-01T00:00:00Z'), entries: 0, bytes: 0, overQuota: 0 },
    { day, entries: 5, bytes: 50, overQuota: 1 },
  ]);
});
