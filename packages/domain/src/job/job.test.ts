import { expect, test } from 'vitest';
import { MAX_ATTEMPTS, backOffAfter } from './job.ts';

test('a job is tried five times, each after a longer pause', () => {
  expect([1, 2, 3, 4, 5].map(backOffAfter)).toEqual([1000, 4000, 16_000, 64_000, null]);
});

test('there is no attempt after the last one', () => {
  expect(backOffAfter(MAX_ATTEMPTS)).toBeNull();
  expect(backOffAfter(MAX_ATTEMPTS + 1)).toBeNull();
});
