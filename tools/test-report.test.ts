import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTestReport, REPORT } from './test-report.ts';

const FILE = 'packages/a/src/some.test.ts';

const file = (status: string, ...tests: readonly string[]) => ({
  name: FILE,
  status,
  startTime: 1000,
  endTime: 3500,
  assertionResults: tests.map((outcome) => ({
    status: outcome,
    fullName: `it ${outcome}`,
    duration: 1200,
    failureMessages: outcome === 'failed' ? ['Error: 1 is not 2\n    at some.test.ts:3'] : [],
  })),
});

/** Creates a repository with the report of a run (unless undefined) and these other files. */
function repository(
  testResults: readonly ReturnType<typeof file>[] | undefined,
  ...others: readonly string[]
): string {
  const root = mkdtempSync(join(tmpdir(), 'test-report-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of others) write(path, '');
  if (testResults === undefined) return root;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const number = (status: string) => tests.filter((outcome) => outcome.status === status).length;
  const counts = { numPassedTests: number('passed'), numFailedTests: number('failed') };
  const named = testResults.map((one) => ({ ...one, name: join(root, one.name) }));
  write(REPORT, JSON.stringify({ ...counts, testResults: named }));
  return root;
}

test('counts passed and failed tests', () => {
  const root = repository([file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')]);
  expect(readTestReport(root)).toMatchObject({ passed: 3, failed: 1, skipped: [] });
});

test('reports a failed test with its file, name, duration and reason', () => {
  const root = repository([file('failed', 'passed', 'failed')]);
  expect(readTestReport(root).failures).toEqual([`${FILE}: it failed (1.2 s): Error: 1 is not 2`]);
});

test('a run without a report is a failure', () => {
  expect(readTestReport(repository(undefined))).toMatchObject({
    passed: 0,
    failed: 1,
    failures: ['no test report .reports/vitest.json'],
  });
});

test('a package whose tests did not run is a failure', () => {
  const root = repository([file('passed', 'passed')], FILE, 'apps/b/src/other.test.ts', 'tools/c.test.ts');
  expect(readTestReport(root)).toMatchObject({
    passed: 1,
    failed: 2,
    failures: ['apps/b/: its tests did not run', 'tools/: its tests did not run'],
  });
});

test('a package whose tests all need a program needs no report', () => {
  const others = ['packages/b/src/log.clickhouse.test.ts', 'apps/c/src/deep.folder/many.browser.test.ts'];
  expect(readTestReport(repository([file('passed', 'passed')], ...others)).failed).toBe(0);
});

test('a test file that breaks outside its tests counts as a failure', () => {
  const { passed, failed, failures } = readTestReport(repository([file('failed', 'passed'), file('failed')]));
  expect({ passed, failed }).toEqual({ passed: 1, failed: 2 });
  expect(failures).toEqual(Array(2).fill(`${FILE}: broken outside its tests`));
});

test('lists skipped tests by name', () => {
  const { passed, failed, skipped } = readTestReport(
    repository([file('passed', 'passed', 'skipped', 'todo')]),
  );
  expect({ passed, failed }).toEqual({ passed: 1, failed: 0 });
  expect(skipped).toEqual([`${FILE}: it skipped`, `${FILE}: it todo`]);
});

test('does not list tests of the second tier that did not run', () => {
  const one = file('passed', 'passed', 'skipped');
  const assertionResults = one.assertionResults.map((outcome) => ({ ...outcome, tags: ['long'] }));
  expect(readTestReport(repository([{ ...one, assertionResults }])).skipped).toEqual([]);
});

test('lists the ten slowest files, slowest first', () => {
  const files = Array.from({ length: 12 }, (_, at) => ({ ...file('passed'), endTime: 2000 + at * 1000 }));
  const { slowest } = readTestReport(repository(files));
  expect(slowest).toHaveLength(10);
  expect(slowest[0]).toEqual([FILE, 12]);
});
