import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkText, codePoints, isStorable, utf8Length, isSameText } from './text.ts';

const anyText = fc.string({ unit: 'binary' });

test('a surrogate pair counts as one code point', () => {
  expect(codePoints('')).toBe(0);
  expect(codePoints('ä漢')).toBe(2);
  expect(codePoints('🚀a🚀')).toBe(3);
  fc.assert(
    fc.property(anyText, (text) => {
      expect(codePoints(text)).toBe(Array.from(text).length);
    }),
  );
});

test('bytes are counted in UTF-8', () => {
  expect(utf8Length('aä漢🚀')).toBe(1 + 2 + 3 + 4);
  fc.assert(
    fc.property(anyText, (text) => {
      expect(utf8Length(text)).toBe(bytesOf(text));
    }),
  );
});

test('null characters and lone surrogates cannot be stored', () => {
  expect(['', 'a', '\u0001', '\uffff', '🚀'].filter(isStorable)).toHaveLength(5);
  expect(['\0', 'a\0b', '\ud83d', '\ude80\ud83d', 'a\ude80'].filter(isStorable)).toEqual([]);
});

describe('a text', () => {
  const field = { attr: 'name', max: 3 };

  test('may have up to the maximum number of code points', () => {
    for (const text of ['', 'abc', '🚀🚀🚀']) expect(() => checkText(text, field)).not.toThrow();
  });

  test('may not be longer', () => {
    for (const text of ['abcd', '🚀🚀🚀🚀']) {
      expect(() => checkText(text, field)).toThrow(
        expect.objectContaining({
          code: 'max_length',
          attr: 'name',
          message: 'Ensure this field has no more than 3 characters.',
        }),
      );
    }
  });

  test('that cannot be stored is rejected at any length', () => {
    for (const text of ['\0', '\ud83d']) {
      expect(() => checkText(text, field)).toThrow(
        expect.objectContaining({ code: 'invalid_input', attr: 'name' }),
      );
    }
  });
});

function bytesOf(text: string): number {
  return encodeURIComponent(text).replaceAll(/%../g, '.').length;
}

test('compares texts exactly', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(fc.property(text, text, (one, other) => isSameText(one, other) === (one === other)));
  fc.assert(fc.property(text, (one) => isSameText(one, one.slice())));
});

test.each([
  ['', 'a'],
  ['a', ''],
  ['secret', 'secreT'],
  ['secret', 'secret\0'],
  ['\0', ''],
])('%j and %j differ', (one, other) => {
  expect([isSameText(one, other), isSameText(other, one)]).toEqual([false, false]);
});
