import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { addUp, REPORT } from './figures.ts';

// The gate: every script named check:… in turn, and on the last line what the test runners counted.

const ROOT = dirname(import.meta.dirname);
const LIMIT = 18 * 60_000;
const CHECKS = Object.entries(manifest.scripts).filter(([name]) => name.startsWith('check:'));
const FOLDERS = ['tools', ...globSync(['packages/*', 'apps/*'], { cwd: ROOT }).toSorted()];
const CI = process.env['CI'] !== undefined;
const ENVIRONMENT = {
  ...process.env,
  // Where Debian keeps servers, but an ordinary user's path does not look.
  PATH: `${process.env['PATH']}:/usr/local/sbin:/usr/sbin`,
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
const failures = CHECKS.filter((check) => !passes(check)).map(([name]) => name);
const { passed, failed, broken, skipped } = addUp(ROOT, FOLDERS);
failures.push(...broken, ...(CI ? skipped : []));

console.log();
for (const test of skipped) console.log(`did not run: ${test}`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failures.length + failed === 0 ? 0 : 1;
