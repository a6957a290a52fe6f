import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { launchProgram } from './launch-program.ts';
import { RESTART_POLICY } from './restart-policy.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { supervise, type Supervision } from './supervise.ts';
import { portOf } from './take-ports.ts';

const POLICY = { ...RESTART_POLICY, firstPauseMs: 20, longestPauseMs: 50, unresponsiveForMs: 1_500 };
const GRACE_MS = 30_000;

interface Watched extends Supervision {
  readonly reports: readonly string[];
  readonly refusals: readonly string[];
}

/** Supervises a program of the given text; it is ready as soon as the address answers. */
function watch(program: string, url: string, policy = POLICY): Watched {
  const reports: string[] = [];
  const refusals: string[] = [];
  const launch = async () =>
    launchProgram(
      { name: 'app', command: process.execPath, args: ['-e', program], env: process.env, url },
      policy,
    );
  const supervision = supervise(
    { name: 'app', launch },
    { policy, report: (line) => reports.push(line), giveUp: ({ message }) => refusals.push(message) },
  );
  onTestFinished(() => supervision.stop(0));
  return { ...supervision, reports, refusals };
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

const ready = (): Promise<string> => listening((_request, answer) => void answer.end());
const notReady = (): Promise<string> => listening((_request, answer) => void answer.writeHead(503).end());

test('a program that dies is started again after growing pauses, with a report each time', async () => {
  const { reports, ready: firstReady } = watch('setTimeout(() => process.exit(3), 1_000)', await ready());
  await firstReady;
  await expect.poll(() => reports.length).toBeGreaterThanOrEqual(5);
  expect(reports.slice(0, 5)).toEqual([
    'app: ended with exit code 3; it is started again in 0.02 s.',
    'app: is ready again.',
    'app: ended with exit code 3; it is started again in 0.04 s.',
    'app: is ready again.',
    'app: ended with exit code 3; it is started again in 0.05 s.',
  ]);
});

test('a report names the signal that ended the program', async () => {
  const { reports } = watch("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)", await ready());
  await expect.poll(() => reports[0]).toContain('app: was ended by SIGKILL;');
});

test('a program that refuses its settings is not started again', async () => {
  const { reports, refusals } = watch('process.exit(2)', await notReady());
  await expect.poll(() => refusals).toEqual(['app: ended with exit code 2 before it was ready']);
  expect(reports).toEqual([]);
});

test('a program that never gets ready is given up after a few starts', async () => {
  const { reports, refusals } = watch('process.exit(1)', await notReady());
  await expect.poll(() => refusals).toEqual(['app: ended with exit code 1 before it was ready']);
  expect(reports).toHaveLength(POLICY.maxFailedStarts - 1);
});

test('a program that was ready once is started again whatever its exit code', async () => {
  const { reports, refusals } = watch('setTimeout(() => process.exit(2), 300)', await ready());
  await expect.poll(() => reports.length).toBeGreaterThan(2 * POLICY.maxFailedStarts);
  expect(refusals).toEqual([]);
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

test('a program that does not stop within the grace period is killed', async () => {
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

/** Listens, and does nothing else for good once `/hang` is asked. */
const HANGING = (port: number): string => `
  require('node:http').createServer((request, answer) => {
    if (request.url === '/hang') for (;;);
    answer.end(String(process.pid));
  }).listen(${port}, '127.0.0.1')`;

async function freeUrl(): Promise<URL> {
  return new URL(`http://127.0.0.1:${await freePort()}`);
}

test('a program that hangs is killed and started again, and the report says why', async () => {
  const { origin, port } = await freeUrl();
  const { reports, ready: firstReady } = watch(HANGING(Number(port)), origin);
  await firstReady;
  fetch(`${origin}/hang`).catch(() => {});
  await expect.poll(() => reports.length).toBe(2);
  expect(reports).toEqual([
    'app: gave no answer at /livez for 1.5 s and was ended; it is started again in 0.02 s.',
    'app: is ready again.',
  ]);
});

test('a program that hangs for a shorter time is left alone', async () => {
  const { origin, port } = await freeUrl();
  const policy = { ...POLICY, unresponsiveForMs: 6_000 };
  const { reports, ready: firstReady } = watch(HANGING(Number(port)), origin, policy);
  await firstReady;
  const pid = Number(await (await fetch(origin)).text());
  for (const _ of [1, 2]) {
    process.kill(pid, 'SIGSTOP');
    await sleep(800);
    process.kill(pid, 'SIGCONT');
    await sleep(800);
  }
  expect(reports).toEqual([]);
  expect(Number(await (await fetch(origin)).text())).toBe(pid);
});

/** Starts a process that serves in its place, and that ends neither with it nor when it is told to. */
const LEAVING_BEHIND = (port: number): string => {
  const member = `
    process.on('SIGTERM', () => {});
    require('node:http').createServer((request, answer) => {
      answer.end(String(process.pid));
      if (request.url === '/orphan') process.kill(process.ppid, 'SIGKILL');
    }).listen(${port}, '127.0.0.1')`;
  return `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(member)}]);
    setInterval(() => {}, 1000)`;
};

test('what a killed program leaves behind is ended before the program is started again', async () => {
  const { origin, port } = await freeUrl();
  const { reports, ready: firstReady } = watch(LEAVING_BEHIND(Number(port)), origin);
  await firstReady;
  const left = Number(await (await fetch(`${origin}/orphan`)).text());
  await expect.poll(() => reports.length).toBe(2);
  expect(reports).toEqual([
    'app: was ended by SIGKILL; it is started again in 0.02 s.',
    'app: is ready again.',
  ]);
  expect(Number(await (await fetch(origin)).text())).not.toBe(left);
});
