import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endsWithin, exitOf, type Exit } from '@plugin-config/embedded-postgres';
import { COMPILED } from '../compiled.ts';
import { urlOf, type Address } from './start-settings.ts';
import type { ManagedProcess } from './supervise.ts';

/** The main files of the apps. */
export interface Entries {
  readonly http: string;
  readonly worker: string;
}

export const ENTRIES: Entries = {
  http: fileURLToPath(new URL('../../../http/src/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../../worker/src/main.ts', import.meta.url)),
};

export interface Program {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where it listens. */
  readonly url: string;
}

/**
 * These save CPU: the young generation is large enough for the requests in progress, and one thread collects it. Without
 * `--no-allocation-site-pretenuring`, a single slow moment makes V8 allocate requests in the old generation from then on.
 */
const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--max-old-space-size=1024',
];
const POLL_MS = 50;
const RESPONSE_WITHIN_MS = 2_000;

export function appProgram(entry: string, address: Address, env: NodeJS.ProcessEnv): Program {
  const own = { [address.variable]: String(address.port), NODE_COMPILE_CACHE: COMPILED };
  return {
    args: [...NODE_FLAGS, entry],
    env: { MALLOC_ARENA_MAX: '1', ...env, ...own },
    url: urlOf(address),
  };
}

/**
 * Starts an app in its own process group: a Ctrl-C reaches only this process, which stops everything in order. If this process
 * is killed, the IPC channel closes and the app stops by itself.
 */
export function launchApp({ args, env, url }: Program): ManagedProcess {
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  const exited = exitOf(child);
  return {
    exited,
    ready: untilReady(url, exited),
    stop: async (graceMs, force) => {
      child.kill('SIGTERM');
      if (!(await endsWithin(exited, graceMs, force))) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Polls `/readyz`. Rejects if the app ends before it is ready. */
async function untilReady(url: string, exited: Promise<Exit>): Promise<void> {
  const ended = new AbortController();
  void exited.then(() => ended.abort());
  while (!(await isReady(url))) {
    await sleep(POLL_MS, undefined, { signal: ended.signal }).catch(() => {});
    if (ended.signal.aborted) throw new Error(`${(await exited).how} before it was ready`);
  }
}

async function isReady(url: string): Promise<boolean> {
  const headers = { connection: 'close' };
  const signal = AbortSignal.timeout(RESPONSE_WITHIN_MS);
  try {
    const response = await fetch(`${url}/readyz`, { headers, signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
