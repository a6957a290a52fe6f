import { expect, test } from 'vitest';
import { distinctBy } from './distinct-by.ts';

test('the first of each kind is kept, and every item knows its index', () => {
  const words = ['bee', 'ant', 'bear', 'bat', 'asp'];
  expect(distinctBy(words, (word) => word.slice(0, 1))).toEqual({
    firsts: ['bee', 'ant'],
    indexes: [0, 1, 0, 0, 1],
  });
});

test('an empty list has no kinds', () => {
  expect(distinctBy<string>([], String)).toEqual({ firsts: [], indexes: [] });
});
