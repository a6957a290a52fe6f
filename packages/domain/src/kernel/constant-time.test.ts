import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameText } from './constant-time.ts';

test('tells whether two texts are equal', () => {
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
