import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addUp } from './figures.ts';

const file = (status: string, ...tests: readonly string[]) => ({
  name: 'some.test.ts',
  status,
  assertionResults: tests.map((outcome) => ({
    status: outcome,
    fullName: `it ${outcome}`,
    failureMessages: outcome === 'failed' ? ['Error: 1 is not 2\n    at some.test.ts:3'] : [],
  })),
});

function report(...testResults: readonly ReturnType<typeof file>[]): string {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const number = (status: string) => tests.filter((outcome) => outcome.status === status).length;
  return JSON.stringify({
    numPassedTests: number('passed'),
    numFailedTests: number('failed'),
    testResults,
  });
}

function folders(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'figures-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const TESTED = '{"scripts":{"test":"vitest run"}}';

test('the reports of all folders are added up', () => {
  const root = folders({
    'a/package.json': TESTED,
    'a/.reports/vitest.json': report(file('passed', 'passed', 'passed')),
    'b/package.json': TESTED,
    'b/.reports/vitest.json': report(file('failed', 'passed', 'failed')),
  });
  expect(addUp(root, ['a', 'b'])).toMatchObject({ passed: 3, failed: 1, skipped: [] });
});

test('a failed test is told by its file, its name and its reason', () => {
  const root = folders({
    'a/package.json': TESTED,
    'a/.reports/vitest.json': report(file('failed', 'passed', 'failed')),
  });
  expect(addUp(root, ['a']).failures).toEqual([
    expect.stringMatching(/some\.test\.ts: it failed: Error: 1 is not 2$/),
  ]);
});

test('a folder whose script promises tests and that left no report counts as a failure', () => {
  const root = folders({ 'a/package.json': TESTED });
  expect(addUp(root, ['a'])).toEqual({ passed: 0, failed: 1, failures: ['a: no test report'], skipped: [] });
});

test('a folder that holds tests and left no report counts as a failure', () => {
  const root = folders({ 'a/package.json': '{}', 'a/src/some.test.ts': '' });
  expect(addUp(root, ['a']).failed).toBe(1);
});

test('a folder without tests owes no report', () => {
  const root = folders({ 'a/package.json': '{}', 'a/node_modules/b/some.test.ts': '' });
  expect(addUp(root, ['a'])).toEqual({ passed: 0, failed: 0, failures: [], skipped: [] });
});

test('a test file that breaks outside its tests counts as a failure', () => {
  const root = folders({
    'a/package.json': TESTED,
    'a/.reports/vitest.json': report(file('failed', 'passed'), file('failed')),
  });
  const { passed, failed, failures } = addUp(root, ['a']);
  expect({ passed, failed }).toEqual({ passed: 1, failed: 2 });
  expect(failures).toEqual(Array(2).fill(expect.stringContaining('some.test.ts: broken')));
});

test('skipped tests are listed by name', () => {
  const root = folders({
    'a/package.json': TESTED,
    'a/.reports/vitest.json': report(file('passed', 'passed', 'skipped', 'todo')),
  });
  const { passed, failed, skipped } = addUp(root, ['a']);
  expect({ passed, failed }).toEqual({ passed: 1, failed: 0 });
  expect(skipped).toEqual([
    expect.stringMatching(/some\.test\.ts: it skipped$/),
    expect.stringMatching(/some\.test\.ts: it todo$/),
  ]);
});
