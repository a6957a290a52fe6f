import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing/seed';
import { freePort } from '../../../tools/free-port.ts';

const MAINS = {
  http: fileURLToPath(new URL('../../http/src/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../worker/src/main.ts', import.meta.url)),
};

/** The flags of `npm start`. */
const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--max-old-space-size=1024',
];
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
const POLL_MS = 20;

export type App = keyof typeof MAINS;

export interface RunningApp {
  readonly process: ChildProcess;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts an app with default settings and the keys of `seedRecords`, except those in `env`. */
export function spawnApp(app: App, env: NodeJS.ProcessEnv, args: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...NODE_FLAGS, MAINS[app], ...args], {
    env: {
      MALLOC_ARENA_MAX: '1',
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      ...process.env,
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Starts an app. Resolves once it is ready. */
export async function startApp(app: App, env: NodeJS.ProcessEnv): Promise<RunningApp> {
  const port = await freePort();
  const child = spawnApp(app, { PORT: String(port), WORKER_PORT: String(port), ...env });
  while (!(await isReady(port))) {
    if (hasEnded(child)) throw new Error(`The ${app} app ended before it was ready.`);
    await sleep(POLL_MS);
  }
  return { process: child, port, stop: () => stopProcess(child) };
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
