import type { RunningProcess } from '@plugin-config/server/testing';
import { onTestFinished } from 'vitest';
import { IDLE_HANDLERS_MAIN, type Bed } from './bed.ts';

/** Starts a worker with slow handlers that ends with the test. */
export function startIdle(bed: Bed, env: NodeJS.ProcessEnv = {}): RunningProcess {
  const running = bed.run(env, [], IDLE_HANDLERS_MAIN);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return running;
}
