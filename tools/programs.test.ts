import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram, missingPrograms, OPTIONAL_PROGRAMS, programPath, skippedFiles } from './programs.ts';

const ROOT = dirname(import.meta.dirname);
const NONE = { ...process.env, OPTIONAL_PROGRAMS: '' };

function folderWith(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), '');
  chmodSync(join(folder, name), 0o755);
  return folder;
}

test('finds a program in the PATH by any of its names', () => {
  const folder = folderWith('google-chrome');
  expect(findProgram('chromium', { PATH: `/nowhere:${folder}` })).toBe(join(folder, 'google-chrome'));
});

test('finds only allowed programs', () => {
  const PATH = folderWith('pgbouncer');
  expect(findProgram('pgbouncer', { PATH, OPTIONAL_PROGRAMS: 'chromium,pgbouncer' })).toBeDefined();
  expect(findProgram('pgbouncer', { PATH, OPTIONAL_PROGRAMS: 'chromium' })).toBeUndefined();
  expect(missingPrograms({ PATH, OPTIONAL_PROGRAMS: '' })).toEqual(OPTIONAL_PROGRAMS);
});

test('the error for a missing program says how to install it', () => {
  const { OPTIONAL_PROGRAMS: allowed } = process.env;
  onTestFinished(() => {
    if (allowed === undefined) delete process.env['OPTIONAL_PROGRAMS'];
    else process.env['OPTIONAL_PROGRAMS'] = allowed;
  });
  process.env['OPTIONAL_PROGRAMS'] = '';
  expect(() => programPath('nats-server')).toThrow(
    'nats-server is not installed. Install it: apt-get install nats-server, or brew install nats-server.',
  );
});

test.for(OPTIONAL_PROGRAMS)(
  'if $name is missing, lists the test files that need it, and how to install it',
  (program) => {
    const skipped = skippedFiles(ROOT, [program]);
    expect(skipped).not.toEqual([]);
    for (const line of skipped) {
      expect(line).toMatch(/^(apps|packages|tools)\/.+\.test\.ts: needs /);
      expect(line).toContain(program.get);
    }
  },
);

test('without optional programs, skips the test files that need one', () => {
  const words = OPTIONAL_PROGRAMS.map(({ neededBy }) => `.${neededBy}.`);
  const args = ['run', '--passWithNoTests', '--reporter=default', ...words];
  const { status, stdout, stderr } = spawnSync('vitest', args, { cwd: ROOT, env: NONE, encoding: 'utf8' });
  expect({ status, output: stdout + stderr }).toMatchObject({
    status: 0,
    output: expect.stringContaining('No test files found'),
  });
});
