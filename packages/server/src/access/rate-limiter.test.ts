import { expect, test } from 'vitest';
import { rateLimiter } from './rate-limiter.ts';

const MINUTE = 60_000;

test("a key can send a minute's requests at once, and then one per interval", () => {
  const { count } = rateLimiter({ perMinute: 6 });
  const states = Array.from({ length: 6 }, () => count(1, 0));
  expect(states.map(({ waitSeconds, remaining }) => [waitSeconds, remaining])).toEqual(
    [5, 4, 3, 2, 1, 0].map((left) => [null, left]),
  );
  expect(count(1, 0)).toEqual({ waitSeconds: 10, remaining: 0, fullInSeconds: 60 });
  expect(count(1, 9_000)).toEqual({ waitSeconds: 1, remaining: 0, fullInSeconds: 51 });
  expect(count(1, 10_000)).toEqual({ waitSeconds: null, remaining: 0, fullInSeconds: 60 });
  expect(count(1, 10_000).waitSeconds).toBe(10);
  expect(count(1, 60_000)).toEqual({ waitSeconds: null, remaining: 4, fullInSeconds: 20 });
});

test('a request after the Retry-After time is admitted', () => {
  for (const perMinute of [1, 3, 7, 60, 999]) {
    const { count } = rateLimiter({ perMinute });
    let now = 1_700_000_000_123;
    for (let i = 0; i < 3 * perMinute; i++) {
      const { waitSeconds } = count(1, now);
      if (waitSeconds === null) continue;
      now += 1000 * waitSeconds;
      expect(count(1, now).waitSeconds).toBeNull();
    }
  }
});

test('the remaining requests are admitted at once', () => {
  for (const perMinute of [1, 3, 7, 60, 999]) {
    const { count } = rateLimiter({ perMinute });
    for (const at of [0, 20, 7_000, 7_001, 66_666]) {
      const { remaining } = count(1, at);
      for (let i = 0; i < remaining; i++) expect(count(1, at).waitSeconds).toBeNull();
      expect(count(1, at).waitSeconds).not.toBeNull();
    }
  }
});

test('Retry-After is at most the interval between requests', () => {
  const { count } = rateLimiter({ perMinute: 2 });
  const moments = Array.from({ length: 360 }, (_, i) => i * 500);
  const waits = moments.map((at) => count(1, at).waitSeconds).filter((wait) => wait !== null);
  expect(Math.max(...waits)).toBe(30);
});

test('beyond the maximum number of keys, the least recently used are forgotten', () => {
  const { count } = rateLimiter({ perMinute: 1 });
  for (let key = 0; key <= 10_000; key++) count(key, 0);
  expect(count(0, 1).waitSeconds).toBeNull();
  expect(count(10_000, 1).waitSeconds).not.toBeNull();
});

test('refunding a request restores the limit', () => {
  const { count, refund } = rateLimiter({ perMinute: 2 });
  for (let i = 0; i < 100; i++) {
    expect(count('a', i).waitSeconds).toBeNull();
    refund('a');
  }
  refund('b');
  expect([0, 1, 2].map((at) => count('a', 100 + at).waitSeconds)).toEqual([null, null, 30]);
});

test('rejected requests do not count', () => {
  const { count } = rateLimiter({ perMinute: 1 });
  count(1, 0);
  for (let at = 0; at < MINUTE; at += 1000) expect(count(1, at).waitSeconds).not.toBeNull();
  expect(count(1, MINUTE).waitSeconds).toBeNull();
});

test('the limit applies to each key separately', () => {
  const { count } = rateLimiter({ perMinute: 1 });
  for (let key = 0; key < 20_000; key++) count(key, key);
  expect(count(19_999, 20_000).waitSeconds).not.toBeNull();
});
