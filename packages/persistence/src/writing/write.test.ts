import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
const OWN = 'writing/';

/** What every statement that writes has to do; `write` does it for all of them. */
const WRITES = /\b(update|insert into)\s+(config_record|config_family|activity)\b(?! a\b)/;

test.for([
  'update config_record r',
  'insert into config_record (',
  'update config_family f',
  'insert into activity (',
])('the test sees "%s"', (sql) => {
  expect(sql).toMatch(WRITES);
});

test('only `write` writes records, what their families show, and their history', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !/\.(test|fixture)\.ts$/.test(file));
  const writers = files.filter((file) => WRITES.test(readFileSync(join(SOURCES, file), 'utf8')));
  expect(writers.length).toBeGreaterThan(0);
  expect(writers.filter((file) => !file.startsWith(OWN))).toEqual([]);
});
