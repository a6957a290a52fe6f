import { structuredLogger } from '@plugin-config/server';
import { expect } from 'vitest';
import { test } from '../testing/worker.fixture.ts';
import { runTasks, type RunTask } from './run-tasks.ts';

test('a task that fails is logged and repeated later, while others run', async ({ bed }) => {
  const { tasks } = bed.ports;
  const { projectId } = bed.family;
  const lines: string[] = [];
  const logger = structuredLogger('worker', 'info', { write: (line) => lines.push(line) });
  const ran: (string | null)[] = [];
  const run: RunTask = async (task) => {
    if (task.payload === 'broken' && task.attempts === 1) throw new Error('It is broken.');
    ran.push(task.payload);
    await tasks.settle(task, null);
  };
  const stop = new AbortController();
  const running = runTasks({ tasks, runners: { job: run }, logger }, stop.signal);
  const payloads = ['broken', 'fine'];
  await tasks.add(
    payloads.map((payload, key) => ({ kind: 'job', projectId, accountId: null, key, payload })),
  );
  await expect.poll(() => ran).toEqual(['fine']);
  await expect.poll(() => ran).toEqual(['fine', 'broken']);
  stop.abort();
  await running;
  expect(lines.filter((line) => line.includes('It is broken.'))).toHaveLength(1);
});

test('the tasks of one account leave slots for others', async ({ bed }) => {
  const { tasks } = bed.ports;
  const { projectId } = bed.family;
  const [running, ended]: [Set<number>, PromiseWithResolvers<void>] = [new Set(), Promise.withResolvers()];
  const run: RunTask = async (task) => {
    running.add(task.key);
    await ended.promise;
    await tasks.settle(task, null);
  };
  const add = (keys: readonly number[], accountId: number) =>
    tasks.add(keys.map((key) => ({ kind: 'job', projectId, accountId, key, payload: null })));
  const stop = new AbortController();
  await add([...Array(20).keys()], 1);
  const logger = structuredLogger('worker', 'fatal', { write: () => {} });
  const looping = runTasks({ tasks, runners: { job: run }, logger }, stop.signal);
  await expect.poll(() => running.size).toBe(4);
  await add([100], 2);
  await expect.poll(() => running.has(100)).toBe(true);
  ended.resolve();
  stop.abort();
  await looping;
});
