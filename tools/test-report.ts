import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LONG } from './tiers.ts';

/** The results of a test run. */
export interface TestResults {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly skipped: readonly string[];
  /** The slowest files, with their durations in seconds. */
  readonly slowest: readonly (readonly [file: string, seconds: number])[];
}

/** The parts of Vitest's JSON report that are used here. */
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
  readonly tags?: readonly string[];
  readonly failureMessages: readonly string[];
}

/** The report of the run over all packages. */
export const REPORT = '.reports/vitest.json';
const SLOWEST = 10;

/** Reads the report of a run. A missing report counts as a failure, and so does a folder without reported tests. */
export function readTestReport(root: string): TestResults {
  const path = join(root, REPORT);
  if (!existsSync(path)) {
    return { passed: 0, failed: 1, failures: [`no test report ${REPORT}`], skipped: [], slowest: [] };
  }
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const files = report.testResults.map((file) => ({ ...file, name: relative(root, file.name) }));
  const broken = files.filter(brokeOutsideItsTests);
  const absent = foldersWithTests(root).filter(
    (folder) => !files.some(({ name }) => name.startsWith(folder)),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length + absent.length,
    failures: [
      ...files.flatMap(failedIn),
      ...broken.map(({ name }) => `${name}: broken outside its tests`),
      ...absent.map((folder) => `${folder}: its tests did not run`),
    ],
    skipped: files.flatMap(skippedIn),
    slowest: files
      .toSorted((a, b) => duration(b) - duration(a))
      .slice(0, SLOWEST)
      .map((file) => [file.name, Math.round(duration(file) / 100) / 10] as const),
  };
}

/** Whether a file failed without a failed test. */
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

/** Lists skipped tests. Tests of the second tier do not count as skipped. */
const skippedIn = ({ name, assertionResults }: TestFile): readonly string[] =>
  assertionResults
    .filter(({ status, tags = [] }) => status !== 'passed' && status !== 'failed' && !tags.includes(LONG))
    .map(({ fullName }) => `${name}: ${fullName}`);

const duration = ({ startTime, endTime }: TestFile): number => endTime - startTime;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Returns the folders of packages with at least one test that needs no optional program. */
function foldersWithTests(root: string): readonly string[] {
  const tests = globSync('{tools,{packages,apps}/*/src}/**/*.test.ts', { cwd: root });
  const forAll = tests.filter((path) => /^[^.]*\.test\.ts$/.test(path));
  return [...new Set(forAll.map((path) => path.replace(/(^tools|^(?:packages|apps)\/[^/]*)\/.*/, '$1/')))];
}
