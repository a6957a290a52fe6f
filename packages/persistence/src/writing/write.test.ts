import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
/**
 * The other writers: they create the families of new projects, and delete old or erased rows. `functions.test.ts` checks the SQL
 * functions against the parts of `write`.
 */
const OTHERS = [
  'project/postgres-eraser.ts',
  'project/postgres-erasure-store.ts',
  'project/postgres-project-store.ts',
  'retention/drop-old-rows.ts',
  'retention/postgres-retention.ts',
  'schema/functions/create-config-records.sql',
  'schema/functions/queue-job.sql',
  'schema/functions/save-config-records.sql',
];

const WRITES = new RegExp(
  String.raw`\b(update|insert into|delete from|merge into)\s+(only\s+)?(config_record|config_family|activity|config_revision|\$\{table\})(\b| )` +
    String.raw`|\.create\((ConfigRecordRow|ConfigFamilyRow|ActivityRow|RevisionRow)\b`,
  'i',
);

test.for([
  'update config_record r',
  'insert into config_record (',
  'update only config_family',
  'DELETE FROM activity',
  'em.create(ActivityRow, {})',
])('the pattern matches "%s"', (text) => {
  expect(text).toMatch(WRITES);
});

test('only `write` changes records, versions of families, and histories', () => {
  const files = globSync('**/*.{ts,sql}', { cwd: SOURCES }).filter(
    (file) => !/^testing\/|\.(test|fixture)\.ts$/.test(file),
  );
  const writers = files.filter((file) => WRITES.test(readFileSync(join(SOURCES, file), 'utf8')));
  expect(writers.toSorted()).toEqual([...OTHERS, 'writing/history-entries.ts', 'writing/write.ts']);
});
