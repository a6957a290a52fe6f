import { fileURLToPath } from 'node:url';
import type { Program } from './program.ts';
import type { Address, StartSettings } from './start-settings.ts';

export interface Entries {
  readonly http: string;
  readonly worker: string;
}

const appsFolder = new URL('../../../', import.meta.url);

const ENTRIES: Entries = {
  http: fileURLToPath(new URL('http/src/main.ts', appsFolder)),
  worker: fileURLToPath(new URL('worker/src/main.ts', appsFolder)),
};

export function appPrograms(
  settings: StartSettings,
  env: NodeJS.ProcessEnv,
  entries = ENTRIES,
): readonly Program[] {
  const app = (name: string, entry: string, { url }: Address): Program => ({
    name,
    command: process.execPath,
    args: [entry],
    env,
    readyUrl: `${url}/readyz`,
  });
  return [app('http', entries.http, settings.http), app('worker', entries.worker, settings.worker)];
}
