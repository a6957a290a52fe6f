import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLaterError } from './error-order.ts';
import type { ErrorMessage } from './message.ts';
import { ERROR, ORIGIN } from './message.fixture.ts';

interface ErrorFields {
  readonly timestamp?: number;
  readonly streamTime?: number | null;
  readonly receivedAt?: number;
  readonly position?: number;
  readonly error?: string | null;
}

function report({
  timestamp = 1,
  streamTime = null,
  receivedAt = 1,
  position = 1,
  error = '',
}: ErrorFields): ErrorMessage {
  const origin = {
    ...ORIGIN,
    receivedAt: new Date(receivedAt),
    streamTime: streamTime === null ? null : new Date(streamTime),
  };
  return { ...ERROR, origin, timestamp, position, error };
}

test.each<[string, ErrorFields, ErrorFields]>([
  ['the later error', { timestamp: 2, receivedAt: 1 }, { timestamp: 1, receivedAt: 2, position: 9 }],
  ['then the one received later', { receivedAt: 2 }, { receivedAt: 1, position: 9, error: 'z' }],
  ['as timed by its stream', { streamTime: 2, receivedAt: 1 }, { streamTime: 1, receivedAt: 3 }],
  ['then the one with the higher position', { position: 2, error: null }, { position: 1, error: 'z' }],
  ['then an error over a cleared one', { error: '' }, { error: null }],
  ['then the greater text', { error: 'ab' }, { error: 'a' }],
  ['as the database compares it', { error: '🚀' }, { error: '\uFFFD' }],
])('%s wins', (_name, later, earlier) => {
  expect(isLaterError(report(later), report(earlier))).toBe(true);
  expect(isLaterError(report(earlier), report(later))).toBe(false);
});

test('any set of reports has exactly one latest, in any order', { tags: ['long'] }, () => {
  const few = fc.nat(2);
  const given = fc.record({
    timestamp: few,
    streamTime: fc.option(few),
    receivedAt: few,
    position: few,
    error: fc.option(fc.string({ unit: 'binary', maxLength: 3 })),
  });
  const latest = (reports: readonly ErrorMessage[]): ErrorMessage | undefined =>
    reports.reduce<ErrorMessage | undefined>(
      (best, next) => (best === undefined || isLaterError(next, best) ? next : best),
      undefined,
    );
  fc.assert(
    fc.property(fc.array(given, { minLength: 1, maxLength: 8 }), (all) => {
      const reports = all.map(report);
      expect(latest(reports)?.error).toBe(latest(reports.toReversed())?.error);
      const last = latest(reports);
      for (const other of reports) expect(last !== undefined && isLaterError(other, last)).toBe(false);
    }),
  );
});
