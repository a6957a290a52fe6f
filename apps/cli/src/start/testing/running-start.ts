import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { expect, onTestFinished, test as base } from 'vitest';
import { freePort } from '../../../../../tools/free-port.ts';
import { COMPILED } from '../../compiled.ts';

const ENTRY = fileURLToPath(new URL('./start.ts', import.meta.url));
/** Polls often enough to see a process between two states. */
export const FAST_POLLING = { interval: 20 };

/** Registers a clean-up. The last one registered runs first. */
type Defer = (cleanUp: () => Promise<void>) => void;

export interface Instance {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly httpUrl: string;
  readonly workerUrl: string;
}

/** Returns settings for one instance: a new data directory and two free ports. */
export async function newInstance(defer: Defer = onTestFinished): Promise<Instance> {
  return newInstanceOn(await newDataDir(defer));
}

async function newDataDir(defer: Defer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-start-'));
  defer(() => rm(folder, { recursive: true }));
  return join(folder, 'data');
}

async function newInstanceOn(dataDir: string): Promise<Instance> {
  const [http, worker] = [await freePort(), await freePort()];
  const ports = { PORT: String(http), WORKER_PORT: String(worker) };
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED, DATA_DIR: dataDir, ...ports };
  return { dataDir, env, httpUrl: `http://127.0.0.1:${http}`, workerUrl: `http://127.0.0.1:${worker}` };
}

export interface RunningStart {
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  output(): string;
  errors(): string;
}

/** Runs `start` as a process. Only the apps are stand-ins. */
export function runStart({ env }: Instance, defer: Defer = onTestFinished): RunningStart {
  const child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (texts.stdout += text));
  child.stderr.on('data', (text) => (texts.stderr += text));
  const exitCode = once(child, 'exit').then(() => child.exitCode);
  defer(async () => {
    child.kill('SIGTERM');
    await exitCode;
  });
  return { process: child, exitCode, output: () => texts.stdout, errors: () => texts.stderr };
}

export async function readyStart(instance: Instance, defer: Defer = onTestFinished): Promise<RunningStart> {
  const run = runStart(instance, defer);
  await expect.poll(run.output, FAST_POLLING).toContain('is ready');
  return run;
}

interface Fixtures {
  /** A first start, shared by the tests that leave it running: creating a database takes longest. */
  readonly shared: { readonly instance: Instance; readonly run: RunningStart };
  /** A data directory with an existing database. Tests use it in turn. */
  readonly usedDataDir: string;
  /** An instance on that data directory, without its log, for tests that stop what they start. */
  readonly used: Instance;
}

export const test = base.extend<Fixtures>({
  shared: [
    async ({}, use) => {
      await using resources = new AsyncDisposableStack();
      const defer: Defer = (cleanUp) => resources.defer(cleanUp);
      const instance = await newInstance(defer);
      await use({ instance, run: await readyStart(instance, defer) });
    },
    { scope: 'file' },
  ],
  usedDataDir: [
    async ({}, use) => {
      await using resources = new AsyncDisposableStack();
      const dataDir = await newDataDir((cleanUp) => resources.defer(cleanUp));
      const { close } = await openEmbeddedPostgres({ dataDir, durable: false });
      await close();
      await use(dataDir);
    },
    { scope: 'file' },
  ],
  used: async ({ usedDataDir }, use) => {
    await rm(join(usedDataDir, 'postgres.log'), { force: true });
    await use(await newInstanceOn(usedDataDir));
  },
});

interface AppState {
  readonly pid: number;
  readonly databaseUrl: string;
  readonly secretsKeys?: string;
}

/** Returns the response of an app's stand-in. */
export const appState = async (url: string): Promise<AppState> =>
  (await (await fetch(url)).json()) as AppState;

export const isUp = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

export async function postmasterPid({ dataDir }: Instance): Promise<number> {
  const content = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number.parseInt(content, 10);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
