import { expect, test } from 'vitest';
import { compareMigrations, type Migration } from './compare-migrations.ts';

const FIRST = { name: '1', checksum: 'a' };
const SECOND = { name: '2', checksum: 'b' };
const THIRD = { name: '3', checksum: 'c' };
const compare = (...past: readonly Migration[]) => compareMigrations('The schema', [FIRST, SECOND], past);

test('the same migrations are no problem, even if some are missing', () => {
  expect([compare(FIRST, SECOND), compare(FIRST), compare()]).toEqual([
    { missing: [], problem: null },
    { missing: ['2'], problem: null },
    { missing: ['1', '2'], problem: null },
  ]);
});

test('newer migrations are no problem', () => {
  expect(compare(FIRST, SECOND, THIRD)).toEqual({ missing: [], problem: null });
});

test.each([
  ['the same name and another checksum', { ...SECOND, checksum: 'c' }],
  ['another name', THIRD],
])('a migration of %s in the place of one of this code is one', (_, other) => {
  expect(compare(FIRST, other).problem).toMatch(/^The schema was made by an unreleased version.* 2 /);
});

test('a newer migration does not hide that an earlier one was another one', () => {
  const { problem } = compare({ ...FIRST, checksum: 'c' }, SECOND, THIRD);
  expect(problem).toMatch(/made by an unreleased version.* 1 /);
});
