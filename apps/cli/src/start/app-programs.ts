import { fileURLToPath } from 'node:url';
import { COMPILED } from '../compiled.ts';
import type { Program } from './launch-program.ts';
import { type Address, type Addresses, urlOf } from './start-settings.ts';

export interface Entries {
  readonly http: string;
  readonly worker: string;
}

const appsFolder = new URL('../../../', import.meta.url);

const ENTRIES: Entries = {
  http: fileURLToPath(new URL('http/src/main.ts', appsFolder)),
  worker: fileURLToPath(new URL('worker/src/main.ts', appsFolder)),
};

/**
 * Save CPU: a young generation that is large enough for the requests in progress, collected by one thread. Without `--no-allocation-site-pretenuring`,
 * one slow moment makes V8 allocate requests in the old generation from then on.
 */
const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--max-old-space-size=1024',
];

export function appPrograms(
  { http, worker }: Addresses,
  env: NodeJS.ProcessEnv,
  entries = ENTRIES,
): readonly Program[] {
  const app = (name: string, entry: string, address: Address): Program => ({
    name,
    command: process.execPath,
    args: [...NODE_FLAGS, entry],
    env: {
      MALLOC_ARENA_MAX: '1',
      ...env,
      [address.variable]: String(address.port),
      NODE_COMPILE_CACHE: COMPILED,
    },
    url: urlOf(address),
  });
  return [app('http', entries.http, http), app('worker', entries.worker, worker)];
}
