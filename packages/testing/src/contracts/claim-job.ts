import { TASK_KINDS, type RunningJob } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';

/** How long a worker may take for a job. */
export const JOB_LEASE_MS = TASK_KINDS.job.leaseMs;

/** Claims the next due job and begins it, as a worker does. */
export async function claimJob({
  tasks,
  jobRuns,
}: Pick<Ports, 'tasks' | 'jobRuns'>): Promise<RunningJob | null> {
  await tasks.wake();
  const [task] = await tasks.claim('job', { limit: 1, exceptTenants: [] });
  return task === undefined ? null : jobRuns.begin(task);
}
