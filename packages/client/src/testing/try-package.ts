import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EVERY_KIND_OF_CALL, EXPECTED_OUTCOME, responseToCall } from './every-kind-of-call.ts';
import { fakeFeed } from './fake-feed.ts';
import { fakeService } from './fake-service.ts';

// `npm run try` packs the client, installs it into an empty project, and runs a program there: on several Node versions, which npm
// downloads, on Deno and on Bun.

const NODE_VERSIONS = ['20', '22', '26'];
/** Other programs that run JavaScript, with their arguments. */
const OTHERS = [
  { name: 'Deno', command: ['deno@2', 'run', '--allow-all'] },
  { name: 'Bun', command: ['bun@1'] },
];
const RUNTIME = `
import { openRuntime } from '@plugin-config/client/runtime';
const runtime = await openRuntime({ url, key: 'phx_key', project: 1, family: 'plugin_configs' });
console.log(JSON.stringify(runtime.current().version));
await runtime.close();
`;
const CHECKED_RUNTIME = `
import { openRuntime } from '@plugin-config/client/runtime';
const { API_URL: url, KEY: key, CONFIG_FILE: cacheFile } = process.env;
const runtime = await openRuntime({ url, key, cacheFile, project: 1, family: 'plugin_configs' });
runtime.on('error', ({ message }) => console.error(message));
`;
const run = promisify(execFile);

const project = await mkdtemp(join(tmpdir(), 'plugin-config-client-'));
try {
  await run(process.execPath, [join(import.meta.dirname, '../../build.ts'), join(project, 'dist')]);
  const { stdout: tarball } = await run('npm', ['pack', './dist', '--silent'], { cwd: project });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', `./${tarball.trim()}`], { cwd: project });
  for (const version of NODE_VERSIONS) {
    await tryProgram(`node@${version}`);
    await tryRuntimeCheck(version);
    report(`Node ${version}`);
  }
  for (const { name, command } of OTHERS) {
    await tryProgram(...command);
    report(name);
  }
} finally {
  await rm(project, { recursive: true });
}

async function tryProgram(...command: readonly string[]): Promise<void> {
  await using service = await fakeService(responseToCall);
  await using feed = await fakeFeed('a');
  const outcomeOf = async (program: string, url: string): Promise<unknown> => {
    await writeFile(join(project, 'program.js'), `const url = '${url}'; ${program}`);
    const { stdout } = await run('npx', ['-y', ...command, 'program.js'], { cwd: project });
    return JSON.parse(stdout);
  };
  const calls = `${EVERY_KIND_OF_CALL} console.log(JSON.stringify(outcome));`;
  assert.deepEqual(await outcomeOf(calls, service.url), EXPECTED_OUTCOME);
  assert.equal(await outcomeOf(RUNTIME, feed.url), 'a');
}

async function tryRuntimeCheck(version: string): Promise<void> {
  await writeFile(join(project, 'runtime.js'), CHECKED_RUNTIME);
  const command = ['node_modules/.bin/runtime-check', '--no-jobs', '--', 'node', 'runtime.js'];
  await run('npx', ['-y', '-p', `node@${version}`, 'node', ...command], { cwd: project });
}

function report(where: string): void {
  process.stdout.write(`The client works in ${where}.\n`);
}
