import { expect, test } from 'vitest';
import { logCursorText, parseLogCursor } from './log-cursor.ts';

const KEY = { timestamp: new Date(1_700_000_000_123), id: '0197a3f0-1111-7222-8333-944455556666' };

test.each([
  [{ position: { epoch: 1, number: 0 }, tail: null }, '1-0'],
  [{ position: { epoch: 12, number: 3456 }, tail: null }, '12-3456'],
  [{ position: { epoch: 12, number: 3 }, tail: KEY }, `12-3-1700000000123-${KEY.id}`],
])('%o is written as %s', (cursor, text) => {
  expect(logCursorText(cursor.position, cursor.tail)).toBe(text);
  expect(parseLogCursor(text)).toEqual(cursor);
});

const NO_POSITIONS = [
  '',
  '1',
  '-',
  '1-',
  '0-1',
  '01-1',
  '1-01',
  '1--1',
  '1-1-',
  ' 1-1',
  '1-1\n',
  'null',
  '1-1-2',
];
const LONG = `1-${'9'.repeat(16)}`;
const NO_KEYS = [`1-1-1-${KEY.id.toUpperCase()}`, `1-1-1-${KEY.id}0`, `1-1-999999999999999999-${KEY.id}`];

test.each([...NO_POSITIONS, LONG, ...NO_KEYS])('%j is not a cursor', (text) => {
  expect(parseLogCursor(text)).toBeNull();
});
