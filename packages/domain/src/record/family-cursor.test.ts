import { expect, test } from 'vitest';
import { ALL_RECORDS, familyCursorText, hasReached, parseFamilyCursor } from './family-cursor.ts';

const CURSOR = { registryVersion: 4, familyVersion: 17, id: 42 };

test.each([
  [CURSOR, '4.17-42'],
  [{ ...CURSOR, id: ALL_RECORDS }, '4.17'],
  [{ registryVersion: 0, familyVersion: 0, id: 0 }, '0.0-0'],
])('%j is written as %j, and read back', (cursor, text) => {
  expect(familyCursorText(cursor)).toBe(text);
  expect(parseFamilyCursor(text)).toEqual(cursor);
});

test.each(['', '17', 'a.17', '4.17-', '1.4.17', '4.17-1-2', '-4.17', '4.9999999999999999'])(
  '%j is malformed',
  (text) => {
    expect(parseFamilyCursor(text)).toBeNull();
  },
);

test.each([
  [{}, true],
  [{ familyVersion: 16, id: ALL_RECORDS }, true],
  [{ registryVersion: 3 }, true],
  [{ registryVersion: 5 }, false],
  [{ familyVersion: 18, id: 0 }, false],
])('whether a family has reached the cursor with %j: %j', (change, expected) => {
  const at = { registryVersion: 4, familyVersion: 17 };
  expect(hasReached(at, { ...CURSOR, ...change })).toBe(expected);
});
