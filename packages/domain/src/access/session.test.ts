import { describe, expect, test } from 'vitest';
import { aKeyGrant } from './key-grant.fixture.ts';
import { beginSession, endOf, latestEndOf, renewed } from './session.ts';

const AT = new Date('2026-01-02T03:04:05.678Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const later = (ms: number): Date => new Date(AT.getTime() + ms);
const KEY = aKeyGrant();

describe('a session begins', () => {
  test('with the hash of a valid key', () => {
    expect(beginSession(KEY, 'hash', AT)).toEqual({ keyHash: 'hash', begunAt: AT, usedAt: AT });
  });

  test.for([
    [null, 'This key is unknown.'],
    [{ ...KEY, revokedAt: AT }, 'This key is revoked.'],
    [{ ...KEY, revokedAt: AT, expiresAt: AT }, 'This key is revoked.'],
    [{ ...KEY, expiresAt: AT }, 'This key has expired.'],
  ] as const)('not with %j, and the rejection says why', ([key, message]) => {
    const rejected = expect.objectContaining({ code: 'authentication_failed', attr: 'key', message });
    expect(() => beginSession(key, 'hash', AT)).toThrow(rejected);
  });
});

describe('a session that has begun', () => {
  const session = beginSession(KEY, 'hash', AT);

  test('ends an hour after its last use', () => {
    expect(endOf(session, 12 * HOUR)).toEqual(later(HOUR));
    expect(endOf({ ...session, usedAt: later(3 * HOUR) }, 12 * HOUR)).toEqual(later(4 * HOUR));
  });

  test('ends at its maximum age, even if it is in use', () => {
    expect(endOf({ ...session, usedAt: later(12 * HOUR - 1) }, 12 * HOUR)).toEqual(later(12 * HOUR));
    expect(latestEndOf({ ...session, usedAt: later(9 * HOUR) }, 12 * HOUR)).toEqual(later(12 * HOUR));
  });

  test('records a use at most every five minutes, and never moves its start', () => {
    expect(renewed(session, later(5 * MINUTE - 1))).toBeNull();
    expect(renewed(session, later(-MINUTE))).toBeNull();
    expect(renewed(session, later(5 * MINUTE))).toEqual({ ...session, usedAt: later(5 * MINUTE) });
  });
});
