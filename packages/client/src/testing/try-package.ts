import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../../../../tools/chromium.ts';
import { EVERY_KIND_OF_CALL, EXPECTED_OUTCOME, pageWith, responseToCall } from './every-kind-of-call.ts';
import { fakeFeed } from './fake-feed.ts';
import { fakeService } from './fake-service.ts';

// `npm run try` packs the client, installs it into an empty project, and runs a program there: on several Node versions, which npm
// downloads, on Deno and Bun, and in Chromium, without a bundler.

const NODE_VERSIONS = ['20', '22', '26'];
/** Other programs that run JavaScript, with their arguments. */
const OTHERS = [
  { name: 'Deno', command: ['deno@2', 'run', '--allow-all'] },
  { name: 'Bun', command: ['bun@1'] },
];
const LIB = 'node_modules/@plugin-config/client/lib';
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
  await tryBrowser();
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

async function tryBrowser(): Promise<void> {
  await using service = await fakeService(async (request) => {
    if (request.path === '/') return pageWith({ '@plugin-config/client': '/lib/index.js' });
    if (!request.path.startsWith('/lib/')) return responseToCall(request);
    const body = await readFile(join(project, LIB, request.path.slice('/lib/'.length)), 'utf8');
    return { headers: { 'content-type': 'text/javascript' }, body };
  });
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage();
    await page.goto(service.url);
    const outcome = await page.waitForFunction(() => (globalThis as { readonly outcome?: object }).outcome);
    assert.deepEqual(await outcome.jsonValue(), EXPECTED_OUTCOME);
    report('Chromium');
  } finally {
    await browser.close();
  }
}

function report(where: string): void {
  process.stdout.write(`The client works in ${where}.\n`);
}
