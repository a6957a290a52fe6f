import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join('\n'));

test('dropping added lines gives the old text, dropping removed lines the new one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const without = (kind: string): string =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join('\n');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
    }),
  );
});

for (const [before, after, lines] of [
  ['a', 'a', [' a']],
  ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a\nb\nc\nd', 'b\nd\ne', ['-a', ' b', '-c', ' d', '+e']],
  ['a', 'b', ['-a', '+b']],
] as const) {
  test(`${JSON.stringify(before)} and ${JSON.stringify(after)} differ by ${lines.join(' ')}`, () => {
    const signs = { same: ' ', removed: '-', added: '+' };
    expect(lineDiff(before, after).map(({ kind, text: shown }) => signs[kind] + shown)).toEqual(lines);
  });
}

test('very long texts are not compared line by line', () => {
  const long = (word: string): string =>
    Array.from({ length: 2000 }, (_, index) => `${word} ${index}`).join('\n');
  expect(lineDiff(long('old'), long('new'))).toHaveLength(4000);
});
