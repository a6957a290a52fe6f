import { expect, test } from 'vitest';
import { DEAD_TEXT_MAX, keptText } from './dead-letter.ts';

test('a text is kept whole, in a form that can be stored', () => {
  expect(keptText({ text: 'a\0🚀' })).toEqual({ text: 'a\uFFFD🚀', missing: 0 });
});

test('of a huge text the beginning is kept, and how much is not', () => {
  const text = `${'x'.repeat(DEAD_TEXT_MAX - 1)}🚀abc`;
  expect(keptText({ text })).toEqual({ text: `${'x'.repeat(DEAD_TEXT_MAX - 1)}\uFFFD`, missing: 4 });
});
