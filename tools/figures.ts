import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the test runners counted, and what is wrong with the count itself. */
export interface Figures {
  readonly passed: number;
  readonly failed: number;
  readonly complaints: readonly string[];
}

/** The part of Vitest's JSON report that is read. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export const REPORT = '.reports/vitest.json';

/** Adds up the reports of these folders; each that holds tests owes one. */
export function addUp(root: string, folders: readonly string[]): Figures {
  const each = folders
    .filter((folder) => owesReport(join(root, folder)))
    .map((folder) => count(root, folder));
  return {
    passed: each.reduce((sum, { passed }) => sum + passed, 0),
    failed: each.reduce((sum, { failed }) => sum + failed, 0),
    complaints: each.flatMap(({ complaints }) => complaints),
  };
}

function count(root: string, folder: string): Figures {
  const report = readReport(join(root, folder, REPORT));
  if (report === undefined) return { passed: 0, failed: 1, complaints: [`${folder}: no test report`] };
  const broken = report.testResults
    .filter(failedAsAWhole)
    .map(({ name }) => `${name}: broken outside its tests`);
  const skipped = report.numPendingTests + report.numTodoTests;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    complaints: skipped === 0 ? broken : [...broken, `${folder}: ${skipped} skipped`],
  };
}

/** A file that breaks outside its tests reports a failure, but no failed test. */
const failedAsAWhole = ({ status, assertionResults }: Report['testResults'][number]): boolean =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');

function owesReport(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && /"test":/.test(readFileSync(manifest, 'utf8'))) return true;
  return globSync('**/*.test.ts', { cwd: folder, exclude: ['**/node_modules/**'] }).length > 0;
}

function readReport(path: string): Report | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
}
