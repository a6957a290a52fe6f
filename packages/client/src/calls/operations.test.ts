import { expect, test } from 'vitest';
import { operations } from './operations.ts';

/** The object that has the method: of the service, a project or a family. */
const ownerOf = (route: string): string => /\/:project_id(\/:family)?/.exec(route)?.[0] ?? '';

test('no two endpoints have the same method, and no method hides a group of methods', () => {
  const names = operations.map(({ name, route }) => `${ownerOf(route)} ${name}`);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  const groups = new Set(names.filter((name) => name.includes('.')).map((name) => name.replace(/\..*/, '')));
  expect(names.filter((name) => groups.has(name))).toEqual([]);
});
