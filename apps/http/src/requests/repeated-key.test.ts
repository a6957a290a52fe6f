import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedKey } from './repeated-key.ts';

test.for([
  ['{"a":1,"a":2}', { key: 'a', line: 1, column: 8 }],
  ['{"a":1,\n  "b": [{"x":1}, {"x":1,\n "x":2}]}', { key: 'x', line: 3, column: 2 }],
  [String.raw`{"a":1,"\u0061":2}`, { key: 'a', line: 1, column: 8 }],
  [String.raw`{"a\"":"{\"a\"","b":",\"a\"","a\"":1}`, { key: 'a"', line: 1, column: 30 }],
] as const)('%s repeats a key', ([text, found]) => {
  expect(repeatedKey(text)).toEqual(found);
});

test('no text that JSON itself wrote repeats a key', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      expect(repeatedKey(JSON.stringify(value, null, indent))).toBeNull();
    }),
  );
});
