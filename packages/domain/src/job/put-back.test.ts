import { expect, test } from 'vitest';
import { backOffAfterPutBack } from './put-back.ts';

test('a job that is put back again and again waits twice as long each time, up to five minutes', () => {
  expect([0, 1, 2, 5, 6, 7, 1000].map(backOffAfterPutBack)).toEqual([
    5_000, 10_000, 20_000, 160_000, 300_000, 300_000, 300_000,
  ]);
});
