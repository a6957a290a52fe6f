import { expect, test } from 'vitest';
import { compareMigrations, type Migration } from './compare-migrations.ts';

const FIRST = { name: '1', checksum: 'a' };
const SECOND = { name: '2', checksum: 'b' };
const THIRD = { name: '3', checksum: 'c' };
const compare = (...past: readonly Migration[]) => compareMigrations('The schema', [FIRST, SECOND], past);

test('a store that has run all or some of the migrations is compatible', () => {
  expect([compare(FIRST, SECOND), compare(FIRST), compare()]).toEqual([
    { missing: [], problem: null },
    { missing: ['2'], problem: null },
    { missing: ['1', '2'], problem: null },
  ]);
});

test('newer migrations are compatible', () => {
  expect(compare(FIRST, SECOND, THIRD)).toEqual({ missing: [], problem: null });
});

test.each([
  ['the same name but another checksum', { ...SECOND, checksum: 'c' }],
  ['another name', THIRD],
])('a migration with %s than expected is a problem', (_, other) => {
  expect(compare(FIRST, other).problem).toMatch(/^The schema was created by an unreleased version.* 2: /);
});

test('a newer migration does not hide an earlier mismatch', () => {
  const { problem } = compare({ ...FIRST, checksum: 'c' }, SECOND, THIRD);
  expect(problem).toMatch(/created by an unreleased version.* 1: /);
});
