import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactly } from './exact-json.ts';

test('any JSON value is parsed without loss', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseExactly(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('a number in JSON that would lose digits is rejected', () => {
  expect(() => parseExactly('{"a": [9007199254740993]}')).toThrow('9007199254740993');
});
