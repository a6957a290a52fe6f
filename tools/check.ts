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
const ENVIRONMENT = process.env['CI'] === undefined ? process.env : { ...process.env, TURBO_FORCE: 'true' };

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
const broken = CHECKS.filter((check) => !passes(check)).map(([name]) => name);
const { passed, failed, complaints } = addUp(ROOT, FOLDERS);

console.log();
for (const reason of [...broken, ...complaints]) console.log(`failed: ${reason}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = broken.length + complaints.length + failed === 0 ? 0 : 1;
