import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { onTestFinished } from 'vitest';
import { portOf } from './port-of.ts';

const ENTRY = fileURLToPath(new URL('./start.ts', import.meta.url));

export interface Instance {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly httpUrl: string;
  readonly workerUrl: string;
}

/** Settings of its own for one instance: where it keeps its data, and two free ports. */
export async function instance(): Promise<Instance> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-start-'));
  const dataDir = join(folder, 'data');
  onTestFinished(async () => {
    await removeEmbeddedPostgres(dataDir);
    await rm(folder, { recursive: true });
  });
  const [http, worker] = await freePorts();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(http), WORKER_PORT: String(worker) };
  return { dataDir, env, httpUrl: `http://127.0.0.1:${http}`, workerUrl: `http://127.0.0.1:${worker}` };
}

async function freePorts(): Promise<readonly number[]> {
  const servers = [createServer(), createServer()];
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const ports = servers.map(portOf);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

export interface RunningStart {
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  output(): string;
  errors(): string;
}

/** The start itself as a process, with stand-ins for the apps, and with everything else real. */
export function runStart({ env }: Instance): RunningStart {
  const child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (texts.stdout += text));
  child.stderr.on('data', (text) => (texts.stderr += text));
  const exitCode = once(child, 'exit').then(() => child.exitCode);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exitCode;
  });
  return { process: child, exitCode, output: () => texts.stdout, errors: () => texts.stderr };
}
