import { queueJob, type ConfigRecord, type Job, type JobWork } from '@plugin-config/domain';
import type { RunningProcess } from '@plugin-config/server/testing';
import { anAuthor } from '@plugin-config/testing';
import { onTestFinished } from 'vitest';
import { IDLE_HANDLERS_MAIN, type Bed } from './bed.ts';

/** Starts a worker with slow handlers that ends with the test. */
export function startIdle(bed: Bed, env: NodeJS.ProcessEnv = {}): RunningProcess {
  const running = bed.run(env, [], IDLE_HANDLERS_MAIN);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return running;
}

/** Queues a job. Returns a function that reads its state. */
export async function queued(
  { ports }: Bed,
  record: ConfigRecord,
  work: JobWork,
): Promise<() => Promise<Job | null>> {
  const author = { ...anAuthor(), at: ports.clock.now() };
  const { id } = await queueJob(ports, { record, precondition: null, work, author });
  return () => ports.jobs.find(record, id);
}

export function taskOf(type: string, payload: number | null = null): JobWork {
  return { kind: 'task', task: { type, payload, operation: null } };
}
