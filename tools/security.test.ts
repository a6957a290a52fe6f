import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SECURITY = new URL('../SECURITY.md', import.meta.url);

/** The tests that it names, in code marks. */
function namedTests(text: string): readonly string[] {
  return [...text.matchAll(/`(?<path>[^`\s]+\.ts)`/g)].map(({ groups }) => groups?.['path'] ?? '');
}

/** The rows of the tables under a heading, without their heads. */
function rowsUnder(heading: string): readonly string[] {
  const [, text = ''] = readFileSync(SECURITY, 'utf8').split(`\n## ${heading}\n`);
  const [section = ''] = text.split('\n## ');
  const lines = section.split('\n');
  return lines.filter((line, i) => line.startsWith('| ') && !lines[i + 1]?.startsWith('|-'));
}

test('each test that SECURITY.md names is there', () => {
  const named = namedTests(readFileSync(SECURITY, 'utf8'));
  expect(named.filter((path) => !existsSync(new URL(path, SECURITY)))).toEqual([]);
});

/** Whether all tests of a file are of the second tier. (Vitest would take the tag, spelled out, for that of this file.) */
const isLong = (path: string): boolean =>
  /^\/\*\* @module\Dtag long \*\//.test(readFileSync(new URL(path, SECURITY), 'utf8'));

test('each promise has a test in the first tier', () => {
  const rows = [...rowsUnder('What is protected, and how'), ...rowsUnder('Bounds')];
  const onlyLong = rows.filter((row) => {
    const tests = namedTests(row).filter((path) => !path.endsWith('.fixture.ts'));
    return tests.length > 0 && tests.every(isLong);
  });
  expect(onlyLong).toEqual([]);
});

test.each([
  ['What is protected, and how', 10],
  ['Bounds', 20],
] as const)('%s: each promise names a test that holds it, or the bounds', (heading, least) => {
  const rows = rowsUnder(heading);
  expect(rows.length).toBeGreaterThanOrEqual(least);
  expect(rows.filter((row) => namedTests(row).length === 0 && !row.includes('(#bounds)'))).toEqual([]);
});

/** What turns ciphertexts into values that are not masked, and the files that may call it. */
const DECRYPTING: readonly (readonly [call: RegExp, callers: readonly string[]])[] = [
  // Only Configurations decrypts, and the secret defaults of plugins for it.
  [
    /\bdecryptText\(/,
    ['configuration/ciphertext.ts', 'configuration/configurations.ts', 'configuration/defaults.ts'],
  ],
  // A plan of a document, the port behind the other changes and the handlers of jobs, and the runtimes of plugins.
  [
    /\bdecryptValues\b/,
    [
      'configuration/configurations.ts',
      'declaration/managed-state.ts',
      'record/read-configuration.ts',
      'runtime/postgres-runtime-configurations.ts',
    ],
  ],
  [/\bdecryptWork\b/, ['configuration/configurations.ts', 'job/claim-job.ts']],
  // The feed of runtimes alone sends them.
  [/\bconfigurations\.read\(/, ['apps/http/src/runtime/runtime-feed-handler.ts']],
  // The change of a configuration, and the handlers of jobs.
  [
    /\bconfigurationValues\.of\(/,
    ['job/run-job.ts', 'record/set-configuration.ts', 'revision/restore-revision.ts'],
  ],
];

test.each(DECRYPTING)('%s is called where ADR 5 says, and nowhere else', (call, callers) => {
  const root = new URL('../', import.meta.url).pathname;
  const files = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.(test|fixture)\.ts$|\/testing\/|^packages\/testing\//.test(file),
  );
  const calling = files.filter((file) => call.test(readFileSync(root + file, 'utf8')));
  expect(
    calling.map((file) => file.replace(/^packages\/(domain|persistence)\/src\//, '')).toSorted(),
  ).toEqual(callers);
});
