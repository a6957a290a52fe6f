import { expect, test } from 'vitest';
import { KEPT_MS, tooManyKeptResponses } from './idempotency-key.ts';

test.each([
  [0, 86_400],
  [KEPT_MS / 2 + 1, 43_200],
  [KEPT_MS - 1, 1],
  [KEPT_MS + 60_000, 1],
  [-60_000, 86_400],
])('if the oldest response is %i ms old, the next one is allowed in %i s', (oldestMs, retryAfterSeconds) => {
  expect(tooManyKeptResponses(oldestMs)).toMatchObject({ code: 'throttled', retryAfterSeconds });
});
