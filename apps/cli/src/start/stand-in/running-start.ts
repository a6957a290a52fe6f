import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { expect, onTestFinished, test as base } from 'vitest';
import { freePort } from '../../../../../tools/free-port.ts';
import { COMPILED } from '../../compiled.ts';

const ENTRY = fileURLToPath(new URL('./start.ts', import.meta.url));
/** The pauses of polls, in milliseconds: tests may look before a process goes on. */
export const OFTEN = { interval: 20 };

/** Calls clean-ups later, the last one first. */
type Later = (cleanUp: () => Promise<void>) => void;

export interface Instance {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly httpUrl: string;
  readonly workerUrl: string;
}

/** Settings of its own for one instance: where it keeps its data, and two free ports. */
export async function instance(later: Later = onTestFinished): Promise<Instance> {
  return instanceOn(await newDataDir(later));
}

async function newDataDir(later: Later): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-start-'));
  later(() => rm(folder, { recursive: true }));
  return join(folder, 'data');
}

async function instanceOn(dataDir: string): Promise<Instance> {
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

/** The start itself as a process, with stand-ins for the apps, and with everything else real. */
export function runStart({ env }: Instance, later: Later = onTestFinished): RunningStart {
  const child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (texts.stdout += text));
  child.stderr.on('data', (text) => (texts.stderr += text));
  const exitCode = once(child, 'exit').then(() => child.exitCode);
  later(async () => {
    child.kill('SIGTERM');
    await exitCode;
  });
  return { process: child, exitCode, output: () => texts.stdout, errors: () => texts.stderr };
}

export async function readyStart(of: Instance, later: Later = onTestFinished): Promise<RunningStart> {
  const run = runStart(of, later);
  await expect.poll(run.output, OFTEN).toContain('is ready');
  return run;
}

interface Fixtures {
  /** A first start, for tests that leave it running. They share it, since to create a database takes the longest. */
  readonly shared: { readonly of: Instance; readonly run: RunningStart };
  /** A data directory whose database exists. Tests use it one after the other. */
  readonly usedDataDir: string;
  /** An instance on that data directory, without its log, for a test that ends what it starts. */
  readonly used: Instance;
}

export const test = base.extend<Fixtures>({
  shared: [
    async ({}, use) => {
      await using resources = new AsyncDisposableStack();
      const later: Later = (cleanUp) => resources.defer(cleanUp);
      const of = await instance(later);
      await use({ of, run: await readyStart(of, later) });
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
    await use(await instanceOn(usedDataDir));
  },
});
