import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { launchApp } from './app.ts';
import { FAILED_STARTS_MAX, supervise, type Supervision } from './supervise.ts';
import { portOf } from './take-ports.ts';

const GRACE_MS = 30_000;

interface Watched extends Supervision {
  readonly reports: readonly string[];
  readonly givenUp: readonly string[];
}

/** Supervises a process. A program given as text is ready once the URL responds. */
function watch(program: string | (() => Promise<never>), url: string): Watched {
  const reports: string[] = [];
  const givenUp: string[] = [];
  const supervision = supervise({
    name: 'app',
    launch: async () =>
      typeof program === 'string' ? launchApp({ args: ['-e', program], env: process.env, url }) : program(),
    report: (line) => reports.push(line),
    giveUp: ({ message }) => givenUp.push(message),
  });
  onTestFinished(() => supervision.stop(0));
  return { ...supervision, reports, givenUp };
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

const ready = (): Promise<string> => listening((_request, response) => void response.end());
const notReady = (): Promise<string> => listening((_request, response) => void response.writeHead(503).end());

test('restarts a program whenever it exits, and reports each restart', async () => {
  const { reports, ready: firstReady } = watch('setTimeout(() => process.exit(3), 1_000)', await ready());
  await firstReady;
  await expect.poll(() => reports.length).toBeGreaterThanOrEqual(3);
  expect(reports.slice(0, 3)).toEqual([
    'app: exited with code 3; restarting.',
    'app: is ready again.',
    'app: exited with code 3; restarting.',
  ]);
});

test('does not restart a program that rejects its settings', async () => {
  const { reports, givenUp } = watch('process.exit(2)', await notReady());
  await expect.poll(() => givenUp).toEqual(['app: exited with code 2 before it was ready']);
  expect(reports).toEqual([]);
});

test('gives up after a few starts on a program that never becomes ready', async () => {
  const { reports, givenUp } = watch('process.exit(1)', await notReady());
  await expect.poll(() => givenUp).toEqual(['app: exited with code 1 before it was ready']);
  expect(reports).toHaveLength(FAILED_STARTS_MAX - 1);
});

test('restarts a program that was ready once, regardless of its exit code', async () => {
  const { reports, givenUp } = watch('setTimeout(() => process.exit(2), 300)', await ready());
  await expect.poll(() => reports.length).toBeGreaterThan(2 * FAILED_STARTS_MAX);
  expect(givenUp).toEqual([]);
});

test('a stopped program finishes its work and is not started again', async () => {
  const {
    reports,
    ready: firstReady,
    stop,
  } = watch(
    "process.once('SIGTERM', () => setTimeout(() => process.exit(0), 200)); setInterval(() => {}, 1000)",
    await ready(),
  );
  await firstReady;
  await stop(GRACE_MS);
  expect(reports).toEqual([]);
});

const STUBBORN = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";

test('kills a program that does not stop within the grace period', async () => {
  const { ready: firstReady, stop } = watch(STUBBORN, await ready());
  await firstReady;
  const since = performance.now();
  await stop(300);
  expect(performance.now() - since).toBeLessThan(15_000);
});

test('a second stop signal does not wait for the grace period', async () => {
  const { ready: firstReady, stop } = watch(STUBBORN, await ready());
  await firstReady;
  const since = performance.now();
  await stop(GRACE_MS, AbortSignal.timeout(100));
  expect(performance.now() - since).toBeLessThan(15_000);
});

test('retries a process that cannot be started', async () => {
  const { reports, givenUp } = watch(
    async () => {
      throw new Error('Out of memory.');
    },
    await notReady(),
  );
  await expect.poll(() => givenUp).toEqual(['app: could not be started: Out of memory.']);
  expect(reports).toHaveLength(FAILED_STARTS_MAX - 1);
});
