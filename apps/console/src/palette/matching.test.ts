import { expect, test } from 'vitest';
import { matching } from './matching.ts';

const titled = (...titles: readonly string[]) => titles.map((title) => ({ title }));

test('titles that start with the text come first, then words that do', () => {
  const items = titled('Relog', 'Audit log', 'Log', 'History');
  expect(matching(items, ' log ')).toEqual(titled('Log', 'Audit log', 'Relog'));
});

test('without a text, everything matches in its order', () => {
  const items = titled('b', 'a');
  expect(matching(items, '')).toEqual(items);
});
