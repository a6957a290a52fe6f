import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect, onTestFinished } from 'vitest';
import {
  appState,
  isAlive,
  isUp,
  newInstance,
  FAST_POLLING,
  postmasterPid,
  readyStart,
  type RunningStart,
  runStart,
  test,
} from './testing/running-start.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?= )/gm;
const API_KEY = `phx_first${'0'.repeat(38)}`;

/** Returns a function that returns the errors reported since this call. */
function errorsFromNowOn({ errors }: RunningStart): () => string {
  const { length } = errors();
  return () => errors().slice(length);
}

test('start prints one block with the addresses and the key', async ({ shared: { instance, run } }) => {
  expect(run.output()).toBe(`
The plugin configuration service is ready.

  Console  ${instance.httpUrl}/console
  API      ${instance.httpUrl}/api/projects/
  Docs     ${instance.httpUrl}/docs
  Worker   ${instance.workerUrl}/ingest
  API key  ${API_KEY}  (stored in ${instance.dataDir}/api-key)

Press Ctrl-C to stop it.

`);
});

test('stores the API key and the secrets keys in files that only their owner can read', async ({
  shared: { instance },
}) => {
  const { secretsKeys } = await appState(instance.httpUrl);
  expect(secretsKeys).toMatch(/^[\w-]+:[A-Za-z0-9+/]{43}=$/);
  for (const [name, content] of [
    ['api-key', API_KEY],
    ['secrets-keys', secretsKeys],
  ] as const) {
    const file = join(instance.dataDir, name);
    expect((await readFile(file, 'utf8')).trim()).toBe(content);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }
});

test('a restart keeps the secrets keys', async ({ used: instance }) => {
  const run = await readyStart(instance);
  const { secretsKeys } = await appState(instance.httpUrl);
  run.process.kill('SIGTERM');
  expect(await run.exitCode).toBe(0);
  await readyStart(instance);
  expect((await appState(instance.workerUrl)).secretsKeys).toBe(secretsKeys);
});

test('restarts a killed app, and reports when it is ready again', async ({ shared: { instance, run } }) => {
  const errors = errorsFromNowOn(run);
  const { pid } = await appState(instance.httpUrl);
  process.kill(pid, 'SIGKILL');
  await expect.poll(errors, FAST_POLLING).toContain('ready again');
  expect((await appState(instance.httpUrl)).pid).not.toBe(pid);
  expect(errors().replaceAll(TIME, 'TIME')).toBe(
    'TIME http: killed by SIGKILL; restarting.\nTIME http: is ready again.\n',
  );
});

test('restarts a killed database while the apps keep running', async ({ shared: { instance, run } }) => {
  const errors = errorsFromNowOn(run);
  const before = await appState(instance.httpUrl);
  const killed = await postmasterPid(instance);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => postmasterPid(instance).catch(() => killed), FAST_POLLING).not.toBe(killed);
  await expect.poll(errors, FAST_POLLING).toContain('database: is ready again.');
  expect(errors()).toContain('database: killed by SIGKILL; restarting.');
  expect(await appState(instance.httpUrl)).toEqual(before);
});

test('a second start with the same data directory fails', async ({ shared: { instance } }) => {
  const second = runStart(instance);
  expect(await second.exitCode).toBe(1);
  expect(second.errors()).toMatch(
    /^The database in .* is in use by another process: stop that process, or set another DATA_DIR\.\n$/,
  );
  expect(await isUp(instance.httpUrl)).toBe(true);
});

test('reports a port in use before it starts a database', async ({ used: instance }) => {
  const other = createServer().listen(Number(instance.env['WORKER_PORT']), '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { exitCode, errors } = runStart(instance);
  expect(await exitCode).toBe(1);
  expect(errors()).toBe(
    `Port ${instance.env['WORKER_PORT']} of 127.0.0.1 is in use. Set WORKER_PORT to a free port.\n`,
  );
  await expect(stat(join(instance.dataDir, 'postgres.log'))).rejects.toThrow('ENOENT');
});

test('port 0 picks a free port, which is printed and which a restarted app keeps', async ({
  used: instance,
}) => {
  const run = await readyStart({ ...instance, env: { ...instance.env, PORT: '0', WORKER_PORT: '0' } });
  const urls = [...run.output().matchAll(/http:\/\/127\.0\.0\.1:[1-9]\d*/g)].map(([url]) => url);
  expect(new Set(urls).size).toBe(2);
  const [httpUrl = '', workerUrl = ''] = new Set(urls);
  const { pid } = await appState(httpUrl);
  expect((await appState(workerUrl)).pid).not.toBe(pid);
  process.kill(pid, 'SIGKILL');
  await expect.poll(run.errors, FAST_POLLING).toContain('ready again');
  expect((await appState(httpUrl)).pid).not.toBe(pid);
});

test('an app with invalid settings aborts the start', async ({ used: instance }) => {
  const { exitCode, errors, output } = runStart({
    ...instance,
    env: { ...instance.env, LOG_RETENTION_DAYS: 'none' },
  });
  expect(await exitCode).toBe(1);
  expect(errors()).toBe('worker: exited with code 2 before it was ready\n');
  expect(output()).toBe('');
});

test('with DATABASE_URL, start runs no database and creates neither an API key nor master keys', async () => {
  const instance = await newInstance();
  const databaseUrl = 'postgres://operator@db.example/plugin_config';
  const env = { ...instance.env, DATABASE_URL: databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS };
  const run = await readyStart({ ...instance, env });
  const { pid, ...settings } = await appState(instance.httpUrl);
  expect(isAlive(pid)).toBe(true);
  expect(settings).toEqual({ databaseUrl, secretsKeys: TEST_SECRETS_KEYS });
  expect(run.output()).toContain("API key  npm run --silent cli -- key create --label me --scope '*'");
  await expect(stat(instance.dataDir)).rejects.toThrow('ENOENT');
});
