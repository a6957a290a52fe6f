import { expect, test } from 'vitest';
import { MAX_ATTEMPTS, backOffAfter, waitForKey } from './job.ts';

test('a job is attempted five times, with growing pauses', () => {
  expect([1, 2, 3, 4, 5].map(backOffAfter)).toEqual([1000, 4000, 16_000, 64_000, null]);
});

test('the fifth attempt is the last', () => {
  expect(backOffAfter(MAX_ATTEMPTS)).toBeNull();
  expect(backOffAfter(MAX_ATTEMPTS + 1)).toBeNull();
});

test('a job waits twice as long each time its key is missing, up to five minutes', () => {
  expect([0, 1, 2, 5, 6, 7, 1000].map(waitForKey)).toEqual([
    5_000, 10_000, 20_000, 160_000, 300_000, 300_000, 300_000,
  ]);
});
