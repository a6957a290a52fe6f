import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepsItsValue, parseExactly } from './exact-json.ts';

test.for([
  '9007199254740993',
  '1e400',
  '0.12345678901234567',
  '1234567890123456789',
  'abc',
  '',
  '0x10',
  '1_000',
])('%j is not a number that keeps its value', (text) => {
  expect(keepsItsValue(text)).toBe(false);
});

test.for(['1.0', '1e2', '-0', '007', '0.10', '1E-3', '100000000000000000000', '5e-324'])(
  '%j keeps its value',
  (text) => {
    expect(keepsItsValue(text)).toBe(true);
  },
);

test('any JSON value is parsed without loss', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue(), (number, value) => {
      expect(keepsItsValue(String(number))).toBe(true);
      const text = JSON.stringify(value);
      expect(parseExactly(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('a number in JSON that would lose digits is rejected', () => {
  expect(() => parseExactly('{"a": [9007199254740993]}')).toThrow('9007199254740993');
});
