import { fileURLToPath } from 'node:url';
import {
  runProcess,
  serveInProcess,
  type RunningProcess,
  type ServedApp,
} from '@plugin-config/server/testing';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts the app in the process of the test, with exactly this environment. */
export function serveHere(env: NodeJS.ProcessEnv): Promise<ServedApp> {
  return serveInProcess((stopped, log) => serve(readEnv({ PORT: '0', ...env }), stopped, { log }));
}

/** Starts the app as a separate process, with exactly this environment. */
export function runService(env: NodeJS.ProcessEnv): RunningProcess {
  return runProcess({ main: MAIN, env: { PORT: '0', ...env } });
}
