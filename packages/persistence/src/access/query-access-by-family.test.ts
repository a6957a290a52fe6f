import { expect, test } from 'vitest';
import { distinctBy } from './query-access-by-family.ts';

test('returns the first item of each kind, and the index of the kind for every item', () => {
  const words = ['bee', 'ant', 'bear', 'bat', 'asp'];
  expect(distinctBy(words, (word) => word.slice(0, 1))).toEqual({
    firsts: ['bee', 'ant'],
    indexes: [0, 1, 0, 0, 1],
  });
});

test('an empty list has no kinds', () => {
  expect(distinctBy<string>([], String)).toEqual({ firsts: [], indexes: [] });
});
