import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { addUp, REPORT } from './figures.ts';
import { leftOut } from './left-out.ts';
import { ALLOWED, missingPrograms, OPTIONAL_PROGRAMS } from './programs.ts';

// Runs every script named check:… in turn, and prints the counts of all tests on the last line.

const ROOT = dirname(import.meta.dirname);
const LIMIT = 18 * 60_000;
const CHECKS = Object.entries(manifest.scripts).filter(([name]) => name.startsWith('check:'));
const FOLDERS = ['tools', ...globSync(['packages/*', 'apps/*'], { cwd: ROOT }).toSorted()];
const CI = process.env['CI'] !== undefined;
const MISSING = missingPrograms();
const ENVIRONMENT = {
  ...process.env,
  // Part of the key of turbo's cache: a result without a program does not stand for a run with it.
  [ALLOWED]: OPTIONAL_PROGRAMS.filter((program) => !MISSING.includes(program))
    .map(({ name }) => name)
    .join(','),
  ...(CI ? { TURBO_FORCE: 'true' } : {}),
};

function passes([name, script]: readonly [name: string, script: string]): boolean {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const { status } = spawnSync(script, {
    cwd: ROOT,
    env: ENVIRONMENT,
    shell: true,
    stdio: 'inherit',
    timeout: LIMIT,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`── ${name}: ${status === 0 ? 'ok' : 'FAILED'}, ${seconds} s`);
  return status === 0;
}

for (const folder of FOLDERS) rmSync(join(ROOT, folder, REPORT), { force: true });
const checks = CHECKS.filter((check) => !passes(check)).map(([name]) => name);
const { passed, failed, failures, skipped } = addUp(ROOT, FOLDERS);
const reasons = [...checks, ...failures, ...(CI ? skipped : [])];

console.log();
for (const test of [...skipped, ...leftOut(ROOT, MISSING)]) console.log(`did not run: ${test}`);
for (const reason of reasons) console.log(`failed: ${reason}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = reasons.length + failed === 0 ? 0 : 1;
