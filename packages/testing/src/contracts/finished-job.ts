import type { RecordRef } from '@plugin-config/domain';
import { aJob } from '../builders/a-job.ts';
import { aSettlement } from '../builders/a-settlement.ts';
import { claimJob } from './claim-job.ts';
import type { Ports } from '../ports.ts';

interface JobEnd {
  readonly id: string;
  readonly state?: 'succeeded' | 'failed';
}

/** Creates a job that has just ended, with its entry in the history. Returns its id. */
export async function finishedJob(
  ports: Ports,
  record: RecordRef,
  { id, state = 'succeeded' }: JobEnd,
): Promise<string> {
  const job = aJob(record, { id });
  const { actor, requestId } = job;
  await ports.jobs.queue(job, null);
  const claimed = await claimJob(ports);
  if (claimed?.id !== id) throw new Error('another job is due');
  await ports.jobRuns.settle(claimed, async ({ at }) =>
    aSettlement({ state, activity: [{ actor, requestId, at, activity: `job_${state}`, changes: [] }] }),
  );
  return id;
}
