import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { readTestReport, REPORT } from './test-report.ts';
import { ALLOWED, missingPrograms, OPTIONAL_PROGRAMS, skippedFiles } from './programs.ts';
import { LONG_TESTS } from './tiers.ts';

// Runs every script named check:…: the tests, and at the same time, at a lower priority, the others. Prints the slowest test files,
// the tests that did not run, all failures, and the test counts on the last line. With --all, also runs the second tier, and
// writes `.reports/all.json`.

const ROOT = dirname(import.meta.dirname);
const SUMMARIES = '.turbo/runs/*.json';
const ALL_REPORT = '.reports/all.json';
const CHECKS = Object.keys(manifest.scripts).filter((name) => name.startsWith('check:'));
const ALL = process.argv.includes('--all');
const LIMIT = (ALL ? 90 : 45) * 60_000;
const CI = process.env['CI'] !== undefined;
/** The second tier tries four times as many examples as the first. */
const PROPERTY_TIMES = '4';
const MISSING = missingPrograms();
const ENVIRONMENT = {
  ...(ALL ? { [LONG_TESTS]: 'yes', PROPERTY_TIMES } : {}),
  ...process.env,
  [ALLOWED]: OPTIONAL_PROGRAMS.filter((program) => !MISSING.includes(program))
    .map(({ name }) => name)
    .join(','),
  TURBO_TELEMETRY_DISABLED: '1',
};

/** The parts of turbo's run summary that are used here. */
interface Summary {
  readonly tasks: readonly { readonly task: string; readonly execution: { readonly exitCode: number } }[];
}

/** Runs the checks, and returns the names of the failed checks. */
function runChecks(): readonly string[] {
  for (const file of [REPORT, ...globSync(SUMMARIES, { cwd: ROOT })])
    rmSync(join(ROOT, file), { force: true });
  const turbo = ['exec', 'turbo', 'run', ...CHECKS, '--summarize', '--continue=always', '--log-prefix=none'];
  const options = { cwd: ROOT, env: ENVIRONMENT, stdio: 'inherit', timeout: LIMIT } as const;
  const { status } = spawnSync('sh', ['tools/pnpm.sh', ...turbo], options);
  if (status === 0) return [];
  const [path] = globSync(SUMMARIES, { cwd: ROOT });
  if (path === undefined) return CHECKS;
  const { tasks } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Summary;
  return tasks.filter(({ execution }) => execution.exitCode !== 0).map(({ task }) => task);
}

/** Returns the current commit, or null outside of a Git repository. */
function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

const checks = runChecks();
const { passed, failed, failures, skipped, slowest } = readTestReport(ROOT);
const reasons = [...checks, ...failures, ...(CI ? skipped : [])];
const notRun = [...skipped, ...skippedFiles(ROOT, MISSING)];
const durationSeconds = Math.round(performance.now() / 1000);
if (ALL) {
  const report = {
    commit: commit(),
    finishedAt: new Date(),
    durationSeconds,
    passed,
    failed,
    reasons,
    notRun,
    slowest,
  };
  mkdirSync(dirname(join(ROOT, ALL_REPORT)), { recursive: true });
  writeFileSync(join(ROOT, ALL_REPORT), `${JSON.stringify(report, null, 2)}\n`);
}

console.log();
for (const [file, seconds] of slowest) console.log(`slow: ${seconds.toFixed(1)} s ${file}`);
for (const test of notRun) console.log(`did not run: ${test}`);
for (const reason of reasons) console.log(`failed: ${reason}`);
console.log(`${ALL ? 'all tests' : 'the first tier'} took ${durationSeconds} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = reasons.length + failed === 0 ? 0 : 1;
