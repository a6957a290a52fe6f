import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { LOADS_REPORT, readFigures, REPORT } from './figures.ts';
import { leftOut } from './left-out.ts';
import { ALLOWED, missingPrograms, OPTIONAL_PROGRAMS } from './programs.ts';

// Runs every script named check:…, and prints what failed, the slowest test files, and the counts of all tests on the last
// line. With --loads, the loads run after them.

const ROOT = dirname(import.meta.dirname);
const LIMIT = 45 * 60_000;
const SUMMARIES = '.turbo/runs/*.json';
const CHECKS = Object.keys(manifest.scripts).filter((name) => name.startsWith('check:'));
const WITH_LOADS = process.argv.includes('--loads');
const CI = process.env['CI'] !== undefined;
const MISSING = missingPrograms();
const ENVIRONMENT = {
  ...process.env,
  [ALLOWED]: OPTIONAL_PROGRAMS.filter((program) => !MISSING.includes(program))
    .map(({ name }) => name)
    .join(','),
  TURBO_TELEMETRY_DISABLED: '1',
};

/** The part that is used of turbo's summary of a run. */
interface Summary {
  readonly tasks: readonly { readonly task: string; readonly execution: { readonly exitCode: number } }[];
}

/** Runs the checks. Returns the names of those that failed. */
function runChecks(): readonly string[] {
  for (const file of [REPORT, LOADS_REPORT, ...globSync(SUMMARIES, { cwd: ROOT })])
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

/** Runs the loads. Returns their name if they failed. */
function runLoads(): readonly string[] {
  const { status } = spawnSync(manifest.scripts.loads, {
    cwd: ROOT,
    env: ENVIRONMENT,
    shell: true,
    stdio: 'inherit',
    timeout: LIMIT,
  });
  return status === 0 ? [] : ['loads'];
}

const checks = [...runChecks(), ...(WITH_LOADS ? runLoads() : [])];
const reports = [REPORT, ...(WITH_LOADS ? [LOADS_REPORT] : [])];
const { passed, failed, failures, skipped, slowest } = readFigures(ROOT, reports);
const reasons = [...checks, ...failures, ...(CI ? skipped : [])];

console.log();
for (const file of slowest) console.log(`slow: ${file}`);
for (const test of [...skipped, ...leftOut(ROOT, MISSING)]) console.log(`did not run: ${test}`);
for (const reason of reasons) console.log(`failed: ${reason}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = reasons.length + failed === 0 ? 0 : 1;
