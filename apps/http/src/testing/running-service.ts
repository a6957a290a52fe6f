import { fileURLToPath } from 'node:url';
import { runProcess, type RunningProcess } from '@plugin-config/server/testing';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts the app as a process with exactly the given environment. */
export function runService(env: NodeJS.ProcessEnv): RunningProcess {
  return runProcess({ main: MAIN, env: { PORT: '0', ...env } });
}
