import { expect, test } from 'vitest';
import { cursorAfterPage, feedCursorText, isVoid, parseFeedCursor, parseShard } from './feed-cursor.ts';

const at = (max: number, registryVersion = 0, recovery = 7) => ({
  snapshot: { min: max, max, running: [] },
  registryVersion,
  recovery,
});
const START = { reader: 'Zb0l3lzJcN2_b3-6', shard: null, since: null, paging: null };

test.each([
  { ...START, since: at(700, 3) },
  {
    ...START,
    since: { snapshot: { min: 7, max: 12, running: [7, 9, 11] }, registryVersion: 0, recovery: 0 },
  },
  { ...START, shard: { index: 3, of: 1024 }, paging: { next: at(9), after: 41_000 } },
  { ...START, since: at(5), paging: { next: at(9), after: Number.MAX_SAFE_INTEGER } },
])('the cursor %j is the same after it was a text', (cursor) => {
  expect(parseFeedCursor(feedCursorText(cursor))).toEqual(cursor);
});

const READER = 'Zb0l3lzJcN2';
test.each([
  '',
  READER,
  `${READER}.0.0`,
  `${READER}.0.1-2`,
  `${READER}.0.1-2-3`,
  `${READER}.0.1-7-zzzzzzzzzzz-zzzzzzzzzzz`,
  `${READER}.4-4.1-7-2-3`,
  `${READER}.0-0.1-7-2-3`,
  `${READER}.0.1-7-2-3.1-7-2-3`,
  `${READER}.0.1-7-2-3.1-7-2-3.99999999999999999`,
  `${READER}.0.1-7-2-3.1-7-2-3.5.6`,
  `.0.1-7-2-3`,
  `a b.0.1-7-2-3`,
  `${READER}.0.9999999999999999-7-2-3`,
  `${READER}.0.1-9999999999999999-2-3`,
  `${READER}.0.1-7-2-3${'-1'.repeat(5000)}`,
  `${READER}.0.1-7-2-3\n`,
])('%j is not a cursor', (text) => {
  expect(parseFeedCursor(text)).toBeNull();
});

test('the reader has seen what the first page was read at, but only after the last page', () => {
  const first = cursorAfterPage(START, at(5), 500);
  expect(first).toEqual({ ...START, paging: { next: at(5), after: 500 } });
  const second = cursorAfterPage(first, at(8), 900);
  expect(second).toEqual({ ...START, paging: { next: at(5), after: 900 } });
  expect(cursorAfterPage(second, at(9), null)).toEqual({ ...START, since: at(5) });
  expect(cursorAfterPage({ ...START, since: at(5) }, at(9), null)).toEqual({ ...START, since: at(9) });
});

test('a position is void for a database that lacks its transactions or registrations, or has recovered since', () => {
  const now = at(6, 1);
  expect([at(6, 1), at(5), at(7, 1), at(6, 2), at(5, 0, 6)].map((position) => isVoid(position, now))).toEqual(
    [false, false, true, true, true],
  );
});

test.each([
  ['0/1', { index: 0, of: 1 }],
  ['1023/1024', { index: 1023, of: 1024 }],
  ['1/1', null],
  ['0/0', null],
  ['0/1025', null],
  ['0/1/2', null],
  ['-1/2', null],
  ['/', null],
])('the shard %s is %j', (text, shard) => {
  expect(parseShard(text, '/')).toEqual(shard);
});
