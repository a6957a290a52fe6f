import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBlank, lineSplitter } from './line-splitter.ts';

const UNBOUNDED = { maxBytes: Number.POSITIVE_INFINITY };

function split(chunks: readonly Buffer[], options = UNBOUNDED): readonly string[] {
  const splitter = lineSplitter(options);
  return [...chunks.flatMap((chunk) => splitter.add(chunk)), ...splitter.end()];
}

const anyText = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '🚀', 'é', '\r', ' ')))
  .map((lines) => lines.join('\n').toWellFormed());

test('lines do not depend on how the text is split into chunks', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(64)), (text, cuts) => {
      fc.pre(!text.startsWith('\u{FEFF}'));
      const bytes = Buffer.from(text);
      const offsets = [
        0,
        ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
        bytes.length,
      ];
      const chunks = offsets.slice(1).map((end, i) => bytes.subarray(offsets[i], end));
      const lines = text.split('\n');
      expect(split(chunks)).toEqual(lines.at(-1) === '' ? lines.slice(0, -1) : lines);
    }),
    { seed: 20_260_101 },
  );
});

test('a byte order mark is not part of the first line', () => {
  expect(split([Buffer.from('\u{FEFF}{}\n{}')])).toEqual(['{}', '{}']);
});

test('truncates a line that is too long, and keeps the next line whole', () => {
  const chunks = ['aaa', 'aaa', 'aaa\nbbb', '\nccc'].map((text) => Buffer.from(text));
  expect(split(chunks, { maxBytes: 5 })).toEqual(['aaaaa', 'bbb', 'ccc']);
});

test('a line with only white space is blank', () => {
  expect(['', '\r', ' \t', '{}', ' {}', 'x'].map(isBlank)).toEqual([true, true, true, false, false, false]);
});
