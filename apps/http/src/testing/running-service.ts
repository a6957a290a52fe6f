import { fileURLToPath } from 'node:url';
import { runProcess, type RunningProcess } from '@plugin-config/server/testing';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** The service as it is deployed: a process of its own, and no environment but the given one. */
export function runService(env: NodeJS.ProcessEnv): RunningProcess {
  return runProcess({ main: MAIN, env: { PORT: '0', ...env } });
}
