import { expect, test } from 'vitest';
import { KEPT_MS, tooManyKept } from './kept-answers.ts';

test.each([
  [0, 86_400],
  [KEPT_MS / 2 + 1, 43_200],
  [KEPT_MS - 1, 1],
  [KEPT_MS + 60_000, 1],
  [-60_000, 86_400],
])('an oldest answer of %i ms allows the next one in %i s', (oldestMs, retryAfterSeconds) => {
  expect(tooManyKept(oldestMs)).toMatchObject({ code: 'throttled', retryAfterSeconds });
});
