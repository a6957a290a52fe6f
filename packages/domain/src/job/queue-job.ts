import type { Author } from '../kernel/author.ts';
import {
  checkTexts,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
} from '../record/config-record.ts';
import type { Randomness } from '../kernel/randomness.ts';
import type { Deadline } from '@plugin-config/flow';
import type { Job } from './job.ts';
import type { QueuedJob, JobStore } from './job-store.ts';

interface Dependencies {
  readonly jobs: Pick<JobStore, 'queue'>;
  readonly randomness: Randomness;
}

interface Command {
  readonly record: ConfigRecord;
  readonly precondition: Precondition;
  readonly change: RecordChange;
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
  checkTexts(command.change);
  const job = newJob(randomness, command);
  const response = { jobId: job.id, record };
  const keep = key && { key, response };
  return (await jobs.queue(job, precondition, { deadline, keep })) ?? response;
}

function newJob(randomness: Randomness, { record, change, author }: Command): Job {
  return {
    id: randomness.uuid(),
    record: { projectId: record.projectId, family: record.family, id: record.id },
    change,
    state: 'queued',
    attempts: 0,
    error: null,
    actor: author.actor,
    requestId: author.requestId,
    createdAt: author.at,
    startedAt: null,
    finishedAt: null,
  };
}
