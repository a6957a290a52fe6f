import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { commandProcess, MAIN } from './operator.fixture.ts';

const PRINT_MODULES = `data:text/javascript,
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;

test('--help loads only the commands, their parser, the domain and flow', async () => {
  const { stdout, stderr } = await commandProcess(['key', 'create', '--help'], {
    execArgv: ['--import', PRINT_MODULES],
  });
  expect(stdout).toContain('Usage:');
  // This module checks the database's address, and imports nothing.
  const loaded = stderr.replaceAll(/.*\/database-url\.ts\n/g, '');
  const packages = loaded.match(/(?<=\/)(apps|packages|node_modules)\/(?!\.pnpm)[^/]+/g);
  expect(new Set(packages)).toEqual(
    new Set(['apps/cli', 'packages/domain', 'packages/flow', 'node_modules/commander']),
  );
});

test.for([['--version'], ['start', '--version']])('%j prints the version', async (args) => {
  expect(await commandProcess(args)).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('wrong usage ends the process with exit code 2', async () => {
  const { code, stderr } = await commandProcess(['projct']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Usage:') });
});

test('a closed pipe is not an error', async () => {
  const child = spawn(process.execPath, [MAIN, '--help'], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
