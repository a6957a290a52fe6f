import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SECURITY = new URL('../SECURITY.md', import.meta.url);

/** Returns the test files named in a text, in backticks. */
function namedTests(text: string): readonly string[] {
  return [...text.matchAll(/`(?<path>[^`\s]+\.ts)`/g)].map(({ groups }) => groups?.['path'] ?? '');
}

/** Returns the rows of the tables under a heading, without their headers. */
function rowsUnder(heading: string): readonly string[] {
  const [, text = ''] = readFileSync(SECURITY, 'utf8').split(`\n## ${heading}\n`);
  const [section = ''] = text.split('\n## ');
  const lines = section.split('\n');
  return lines.filter((line, i) => line.startsWith('| ') && !lines[i + 1]?.startsWith('|-'));
}

test('each test that SECURITY.md names exists', () => {
  const named = namedTests(readFileSync(SECURITY, 'utf8'));
  expect(named.filter((path) => !existsSync(new URL(path, SECURITY)))).toEqual([]);
});

/** Whether all tests of a file belong to the second tier. (If the tag were spelled out here, Vitest would apply it to this file.) */
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
] as const)('%s: each promise names a test, or the bounds', (heading, least) => {
  const rows = rowsUnder(heading);
  expect(rows.length).toBeGreaterThanOrEqual(least);
  expect(rows.filter((row) => namedTests(row).length === 0 && !row.includes('(#bounds)'))).toEqual([]);
});

/** The functions that decrypt values without masking them, and the files that may call them. */
const DECRYPTING: readonly (readonly [call: RegExp, callers: readonly string[]])[] = [
  // Configurations, the secret defaults of plugins, and the webhooks of all projects.
  [
    /\bdecryptText\(/,
    [
      'configuration/ciphertext.ts',
      'configuration/configurations.ts',
      'configuration/registrations.ts',
      'webhook/webhook-target.ts',
    ],
  ],
  // The check of a new schema, and plans of upgrades.
  [
    /\bstoredValues\(/,
    ['configuration/configurations.ts', 'plugin/mark-invalid.ts', 'plugin/upgrade-candidates.ts'],
  ],
  // Plans of documents, the port for other changes, and the runtimes of plugins.
  [
    /\bdecryptValues\b/,
    [
      'configuration/configurations.ts',
      'declaration/managed-state.ts',
      'record/read-configuration.ts',
      'runtime/postgres-runtime-configurations.ts',
    ],
  ],
  [
    /\bdecryptJob\b/,
    [
      'configuration/configurations.ts',
      'job/begin-job.ts',
      'plugin-job/claim-jobs.ts',
      'plugin-job/postgres-plugin-job-store.ts',
      'plugin-job/settle-plugin-job.ts',
    ],
  ],
  // The settings of webhooks, and their deliveries.
  [
    /\bdecryptTargets\b/,
    [
      'configuration/configurations.ts',
      'webhook/postgres-dispatch-run-store.ts',
      'webhook/webhook-target.ts',
    ],
  ],
  // Sent only to runtimes.
  [/\bconfigurations\.read\(/, ['apps/http/src/runtime/runtime-feed-handler.ts']],
  [/\bconfigurations\.ofProjects\(/, ['apps/http/src/runtime/project-feed-handlers.ts']],
  // Changes to a configuration, drafts that are tested, and jobs for runtimes.
  [
    /\bconfigurationValues\.of\(/,
    [
      'job/check-configuration.ts',
      'job/take-jobs.ts',
      'plugin-version/upgrade-record.ts',
      'record/set-configuration.ts',
      'record/update-record.ts',
      'revision/restore-revision.ts',
      'runtime/write-back.ts',
    ],
  ],
];

test.each(DECRYPTING)('%s is called only where ADR 5 allows it', (call, callers) => {
  const root = new URL('../', import.meta.url).pathname;
  const files = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.(test|fixture)\.ts$|\/testing\/|^packages\/testing\//.test(file),
  );
  const calling = files.filter((file) => call.test(readFileSync(root + file, 'utf8')));
  expect(
    calling.map((file) => file.replace(/^packages\/(domain|persistence)\/src\//, '')).toSorted(),
  ).toEqual(callers);
});
