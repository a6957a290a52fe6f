import { expect, test } from 'vitest';
import { rateLimiter } from './rate-limiter.ts';

const MINUTE = 60_000;

function refusalOf(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

test('a key has a minute of requests at once, and then one for each interval', () => {
  const limiter = rateLimiter({ perMinute: 6 });
  for (let i = 0; i < 6; i++) limiter(1, 0);
  expect(refusalOf(() => limiter(1, 0))).toMatchObject({
    code: 'throttled',
    retryAfterSeconds: 10,
    message: 'Request was throttled. Expected available in 10 seconds.',
  });
  expect(refusalOf(() => limiter(1, 9_000))).toMatchObject({ retryAfterSeconds: 1 });
  limiter(1, 10_000);
  expect(refusalOf(() => limiter(1, 10_000))).toMatchObject({ retryAfterSeconds: 10 });
});

test('a request after the Retry-After time is admitted', () => {
  for (const perMinute of [1, 3, 7, 60, 999]) {
    const limiter = rateLimiter({ perMinute });
    let now = 1_700_000_000_123;
    for (let i = 0; i < 3 * perMinute; i++) {
      const refusal = refusalOf(() => limiter(1, now));
      if (refusal === null) continue;
      now += 1000 * (refusal as { retryAfterSeconds: number }).retryAfterSeconds;
      expect(refusalOf(() => limiter(1, now))).toBeNull();
    }
  }
});

test('Retry-After is never longer than until the next request is due', () => {
  const limiter = rateLimiter({ perMinute: 2 });
  const moments = Array.from({ length: 360 }, (_, i) => i * 500);
  const refusals = moments.map((at) => refusalOf(() => limiter(1, at))).filter((refusal) => refusal !== null);
  const waits = refusals.map((refusal) => (refusal as { retryAfterSeconds: number }).retryAfterSeconds);
  expect(Math.max(...waits)).toBe(30);
});

test('of very many keys the least recently used are forgotten', () => {
  const limiter = rateLimiter({ perMinute: 1 });
  for (let key = 0; key <= 10_000; key++) limiter(key, 0);
  expect(refusalOf(() => limiter(0, 1))).toBeNull();
  expect(refusalOf(() => limiter(10_000, 1))).not.toBeNull();
});

test('a refusal costs nothing', () => {
  const limiter = rateLimiter({ perMinute: 1 });
  limiter(1, 0);
  for (let at = 0; at < MINUTE; at += 1000) expect(refusalOf(() => limiter(1, at))).not.toBeNull();
  limiter(1, MINUTE);
});

test('each key has a share of its own', () => {
  const limiter = rateLimiter({ perMinute: 1 });
  for (let key = 0; key < 20_000; key++) limiter(key, key);
  expect(refusalOf(() => limiter(19_999, 20_000))).not.toBeNull();
});
