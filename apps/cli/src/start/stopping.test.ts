import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  appState,
  isAlive,
  isUp,
  newInstance,
  FAST_POLLING,
  postmasterPid,
  readyStart,
  runStart,
  test,
} from './testing/running-start.ts';

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s stops everything with exit code 0; SIGHUP is ignored, as under nohup',
  async (signal, { used: instance }) => {
    const run = await readyStart(instance);
    const pids = [
      (await appState(instance.httpUrl)).pid,
      (await appState(instance.workerUrl)).pid,
      await postmasterPid(instance),
    ];
    run.process.kill('SIGHUP');
    run.process.kill(signal);
    expect(await run.exitCode).toBe(0);
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(run.errors()).toBe('');
  },
);

test('a Ctrl-C, which signals the whole process group, stops everything cleanly', async ({
  used: instance,
}) => {
  const run = await readyStart(instance);
  process.kill(-Number(run.process.pid), 'SIGINT');
  expect(await run.exitCode).toBe(0);
  const log = await readFile(join(instance.dataDir, 'postgres.log'), 'utf8');
  expect(log).toContain('received fast shutdown request');
  expect(log).toContain('database system is shut down');
  expect(run.errors()).toBe('');
});

test('start exits even if the apps do not stop', { tags: ['long'] }, async ({ used: instance }) => {
  const env = { ...instance.env, STUBBORN: 'yes', SHUTDOWN_MAX_MS: '3000' };
  const run = await readyStart({ ...instance, env });
  const postmaster = await postmasterPid(instance);
  const since = performance.now();
  run.process.kill('SIGTERM');
  expect(await run.exitCode).toBe(0);
  expect(performance.now() - since).toBeLessThan(15_000);
  expect([await isUp(instance.httpUrl), await isUp(instance.workerUrl), isAlive(postmaster)]).toEqual([
    false,
    false,
    false,
  ]);
});

test(
  'a second Ctrl-C does not wait for apps that do not stop',
  { tags: ['long'] },
  async ({ used: instance }) => {
    const run = await readyStart({ ...instance, env: { ...instance.env, STUBBORN: 'yes' } });
    run.process.kill('SIGINT');
    // Signals within a second count as one.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const since = performance.now();
    run.process.kill('SIGINT');
    expect(await run.exitCode).toBe(0);
    expect(performance.now() - since).toBeLessThan(4_800);
  },
);

test('a stop signal during the start stops it', async () => {
  const instance = await newInstance();
  const run = runStart(instance);
  await expect.poll(() => stat(instance.dataDir).catch(() => null), FAST_POLLING).not.toBeNull();
  run.process.kill('SIGTERM');
  expect(await run.exitCode).toBe(0);
  expect(run.output()).toBe('');
});

test('a killed start leaves no process behind, and the next start works', async ({ used: instance }) => {
  const run = await readyStart(instance);
  const postmaster = await postmasterPid(instance);
  run.process.kill('SIGKILL');
  await run.exitCode;
  const left = async () => [
    await isUp(instance.httpUrl),
    await isUp(instance.workerUrl),
    isAlive(postmaster),
  ];
  await expect.poll(left, FAST_POLLING).toEqual([false, false, false]);
  await readyStart(instance);
});
