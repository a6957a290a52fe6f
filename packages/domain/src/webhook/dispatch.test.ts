import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterAttempt,
  FAILING_MAX_MS,
  reasonToDisable,
  RETRY_PAUSES_MS,
  type AttemptOutcome,
} from './dispatch.ts';

const ACCEPTED: AttemptOutcome = {
  status: 200,
  error: null,
  response: null,
  retryAfterMs: null,
  hasTimedOut: false,
};
const FAILED: AttemptOutcome = { ...ACCEPTED, status: 500, error: 'The receiver responded with 500.' };
const AT = new Date('2026-01-02T03:04:05.678Z');

test('a delivery is attempted eight times within 28 hours', () => {
  const attempts = RETRY_PAUSES_MS.map((_, n) => afterAttempt(n + 1, FAILED));
  expect(attempts).toEqual(RETRY_PAUSES_MS.map((retryInMs) => ({ retryInMs })));
  expect(afterAttempt(RETRY_PAUSES_MS.length + 1, FAILED)).toBe('failed');
  const hours = RETRY_PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
  expect([RETRY_PAUSES_MS.length, Math.floor(hours)]).toEqual([7, 27]);
});

test('a delivery ends when it is accepted, or with a 410', () => {
  expect(afterAttempt(8, ACCEPTED)).toBe('delivered');
  expect(afterAttempt(1, { ...FAILED, status: 410 })).toBe('failed');
});

test('a receiver can ask for a longer pause of up to ten hours, but not for a shorter one or more attempts', () => {
  const retry = (attempts: number, retryAfterMs: number) =>
    afterAttempt(attempts, { ...FAILED, retryAfterMs });
  expect(retry(1, 60_000)).toEqual({ retryInMs: 60_000 });
  expect(retry(2, 1000)).toEqual({ retryInMs: RETRY_PAUSES_MS[1] });
  expect(retry(1, Number.MAX_SAFE_INTEGER)).toEqual({ retryInMs: 36_000_000 });
  expect(retry(8, 60_000)).toBe('failed');
});

test('any outcome of any attempt has a verdict, and the pauses are within bounds', () => {
  const outcome = fc.record({
    status: fc.option(fc.integer({ min: 100, max: 999 })),
    error: fc.option(fc.string()),
    response: fc.constant(null),
    retryAfterMs: fc.option(fc.nat()),
    hasTimedOut: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), outcome, (attempts, given) => {
      const verdict = afterAttempt(attempts, given);
      if (typeof verdict === 'string') return;
      expect(given.error).not.toBeNull();
      expect(verdict.retryInMs).toBeGreaterThanOrEqual(RETRY_PAUSES_MS[0]);
      expect(verdict.retryInMs).toBeLessThanOrEqual(36_000_000);
    }),
  );
});

test('410 disables a webhook, and so does the next failure once all attempts have failed for five days', () => {
  const disableAfter = (ms: number | null, outcome: AttemptOutcome) => {
    const failingSince = ms === null ? null : new Date(AT.getTime() - ms);
    return reasonToDisable(outcome, failingSince, AT);
  };
  expect(disableAfter(null, FAILED)).toBeNull();
  expect(disableAfter(FAILING_MAX_MS - 1, FAILED)).toBeNull();
  expect(disableAfter(FAILING_MAX_MS, FAILED)).toBe('failing');
  expect(disableAfter(FAILING_MAX_MS, ACCEPTED)).toBeNull();
  expect(disableAfter(null, { ...FAILED, status: 410 })).toBe('gone');
});
