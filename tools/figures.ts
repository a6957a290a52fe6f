import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The counts of the test runs, each failure with its reason, and the skipped tests. */
export interface Figures {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly skipped: readonly string[];
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
  readonly assertionResults: readonly TestOutcome[];
}

interface TestOutcome {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

export const REPORT = '.reports/vitest.json';

/** Adds up the reports of these folders. A folder with tests but without a report is a failure. */
export function addUp(root: string, folders: readonly string[]): Figures {
  const each = folders
    .filter((folder) => owesReport(join(root, folder)))
    .map((folder) => count(root, folder));
  return {
    passed: each.reduce((sum, { passed }) => sum + passed, 0),
    failed: each.reduce((sum, { failed }) => sum + failed, 0),
    failures: each.flatMap(({ failures }) => failures),
    skipped: each.flatMap(({ skipped }) => skipped),
  };
}

function count(root: string, folder: string): Figures {
  const report = readReport(join(root, folder, REPORT));
  if (report === undefined)
    return { passed: 0, failed: 1, failures: [`${folder}: no test report`], skipped: [] };
  const broken = report.testResults.filter(brokeOutsideItsTests);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    failures: [
      ...report.testResults.flatMap((file) => failedIn(file, root)),
      ...broken.map(({ name }) => `${relative(root, name)}: broken outside its tests`),
    ],
    skipped: report.testResults.flatMap((file) => skippedIn(file, root)),
  };
}

/** Returns true for a file that failed without a failed test. */
const brokeOutsideItsTests = ({ status, assertionResults }: TestFile): boolean =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');

const failedIn = ({ name, assertionResults }: TestFile, root: string): readonly string[] =>
  assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => `${relative(root, name)}: ${test.fullName}: ${firstLine(test.failureMessages[0] ?? '')}`);

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const skippedIn = ({ name, assertionResults }: TestFile, root: string): readonly string[] =>
  assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => `${relative(root, name)}: ${fullName}`);

function owesReport(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && /"test":/.test(readFileSync(manifest, 'utf8'))) return true;
  return globSync('**/*.test.ts', { cwd: folder, exclude: ['**/node_modules/**'] }).length > 0;
}

function readReport(path: string): Report | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
}
