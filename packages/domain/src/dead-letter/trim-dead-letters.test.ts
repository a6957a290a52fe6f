import { expect, test } from 'vitest';
import type { DeadLetterBounds } from './dead-letter-store.ts';
import { trimDeadLetters } from './trim-dead-letters.ts';

test('dead letters are retained as long as logs', async () => {
  const applied: DeadLetterBounds[] = [];
  const deadLetters = {
    trim: async (bounds: DeadLetterBounds) => {
      applied.push(bounds);
      return { tooOld: 1, tooMany: 2 };
    },
  };
  expect(await trimDeadLetters({ deadLetters, retentionDays: 7, deadLettersPerProject: 9 })).toEqual({
    tooOld: 1,
    tooMany: 2,
  });
  expect(applied).toEqual([
    {
      retentionDays: 7,
      ofOwner: { count: 9, bytes: 128 * 1024 ** 2 },
      ofAll: { count: 100_000, bytes: 1024 ** 3 },
    },
  ]);
});
