import { expect, test } from 'vitest';
import { compareMigrations, type PastMigration } from './compare-migrations.ts';

const OWN = [
  { name: '1', checksum: 'a' },
  { name: '2', checksum: 'b' },
];
const FIRST: PastMigration = { name: '1', checksum: 'a', oldestCode: '1' };
const SECOND: PastMigration = { name: '2', checksum: 'b', oldestCode: '2' };
const problem = (...past: readonly PastMigration[]) => compareMigrations('The schema', OWN, past).problem;

test('the same migrations are no problem, even if some are missing', () => {
  expect([problem(FIRST, SECOND), problem(FIRST), problem()]).toEqual([null, null, null]);
});

test.each([null, 'c'])('another migration of the same name, with the checksum %j, is one', (checksum) => {
  expect(problem(FIRST, { ...SECOND, checksum })).toMatch(
    /^The schema was made by an unreleased version.* 2 /,
  );
});

test('a later migration does not hide that an earlier one was another one', () => {
  const later = { name: '3', checksum: 'c', oldestCode: '3' };
  expect(problem({ ...FIRST, checksum: 'c' }, later)).toMatch(/made by an unreleased version.* 1 /);
});

test('newer migrations are one, unless each of them still suits this code', () => {
  const [third, fourth] = [
    { name: '3', checksum: 'c', oldestCode: '2' },
    { name: '4', checksum: 'd', oldestCode: '3' },
  ];
  expect(problem(FIRST, SECOND, third)).toBeNull();
  expect(problem(FIRST, SECOND, third, fourth)).toMatch(/^The schema is newer than this code \(4\)/);
  expect(problem(FIRST, SECOND, { ...third, oldestCode: null })).toMatch(/newer than this code \(3\)/);
});

test('the migrations that the store has not run are missing', () => {
  expect(compareMigrations('The schema', OWN, [FIRST]).missing).toEqual(['2']);
});
