import type { Author } from '../kernel/author.ts';
import {
  checkTexts,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
} from '../record/config-record.ts';
import type { Randomness } from '../kernel/randomness.ts';
import type { Deadline } from '@plugin-config/flow';
import { NEW_JOB, type Job } from './job.ts';
import type { PluginJobFields } from './plugin-job.ts';
import type { QueuedJob, JobStore } from './job-store.ts';

interface Dependencies {
  readonly jobs: Pick<JobStore, 'queue'>;
  readonly randomness: Randomness;
}

interface Command {
  readonly record: ConfigRecord;
  readonly precondition: Precondition;
  /** A change to the record, or what `pluginJob` returns. */
  readonly job: { readonly type: null; readonly work: RecordChange } | PluginJobFields;
  readonly author: Author;
  readonly deadline?: Deadline;
}

/**
 * Queues a job, unless an earlier request with the author's key did: then returns the response to that request, without
 * checking the precondition. Invalid fields are rejected at once; a rejection that depends on the state of the record later
 * fails the job.
 */
export async function queueJob({ jobs, randomness }: Dependencies, command: Command): Promise<QueuedJob> {
  const { record, precondition, deadline } = command;
  const { once: key } = command.author;
  const job = newJob(randomness, command);
  const response = { jobId: job.id, record };
  const keep = key && { key, response };
  return (await jobs.queue(job, precondition, { deadline, keep })) ?? response;
}

function newJob(randomness: Randomness, { record, job, author }: Command): Job {
  if (job.type === null) checkTexts(job.work);
  return {
    ...NEW_JOB,
    ...job,
    id: randomness.uuid(),
    record: { projectId: record.projectId, family: record.family, id: record.id },
    actor: author.actor,
    requestId: author.requestId,
    createdAt: author.at,
  };
}
