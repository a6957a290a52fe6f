import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The counts of the test run, each failure with its reason, the skipped tests, and the slowest files. */
export interface Figures {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly skipped: readonly string[];
  readonly slowest: readonly string[];
}

/** The used part of Vitest's JSON report. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly TestFile[];
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly TestOutcome[];
}

interface TestOutcome {
  readonly fullName: string;
  readonly status: string;
  readonly duration?: number | null;
  readonly failureMessages: readonly string[];
}

/** The report of the run over all packages. */
export const REPORT = '.reports/vitest.json';
/** The report of the run of the loads. */
export const LOADS_REPORT = '.reports/loads.json';
const SLOWEST = 10;

/** Adds up these reports. A report that is not there is a failure, and so is a folder whose tests are in none of them. */
export function readFigures(root: string, paths: readonly string[] = [REPORT]): Figures {
  const missing = paths.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) {
    const failures = missing.map((path) => `no test report ${path}`);
    return { passed: 0, failed: missing.length, failures, skipped: [], slowest: [] };
  }
  const reports = paths.map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Report);
  const files = reports
    .flatMap(({ testResults }) => testResults)
    .map((file) => ({ ...file, name: relative(root, file.name) }));
  const broken = files.filter(brokeOutsideItsTests);
  const absent = foldersWithTests(root).filter(
    (folder) => !files.some(({ name }) => name.startsWith(folder)),
  );
  return {
    passed: sum(reports.map(({ numPassedTests }) => numPassedTests)),
    failed: sum(reports.map(({ numFailedTests }) => numFailedTests)) + broken.length + absent.length,
    failures: [
      ...files.flatMap(failedIn),
      ...broken.map(({ name }) => `${name}: broken outside its tests`),
      ...absent.map((folder) => `${folder}: its tests did not run`),
    ],
    skipped: files.flatMap(skippedIn),
    slowest: files
      .toSorted((a, b) => duration(b) - duration(a))
      .slice(0, SLOWEST)
      .map((file) => `${seconds(duration(file))} ${file.name}`),
  };
}

/** Returns true for a file that failed without a failed test. */
const brokeOutsideItsTests = ({ status, assertionResults }: TestFile): boolean =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');

const failedIn = ({ name, assertionResults }: TestFile): readonly string[] =>
  assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => {
      const reason = firstLine(test.failureMessages[0] ?? '');
      return `${name}: ${test.fullName} (${seconds(test.duration ?? 0)}): ${reason}`;
    });

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const skippedIn = ({ name, assertionResults }: TestFile): readonly string[] =>
  assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => `${name}: ${fullName}`);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const duration = ({ startTime, endTime }: TestFile): number => endTime - startTime;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The packages that have a test for every machine. What needs a program is not looked for. */
function foldersWithTests(root: string): readonly string[] {
  const tests = globSync('{tools,{packages,apps}/*/src}/**/*.test.ts', { cwd: root });
  const forAll = tests.filter((path) => /^[^.]*\.test\.ts$/.test(path));
  return [...new Set(forAll.map((path) => path.replace(/(^tools|^(?:packages|apps)\/[^/]*)\/.*/, '$1/')))];
}
