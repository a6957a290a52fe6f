import type { Author } from '../activity/activity-entry.ts';
import { checkTexts, type ConfigRecord } from '../record/config-record.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers } from '../kernel/json.ts';
import { checkPrecondition, type Precondition } from '../kernel/precondition.ts';
import type { Randomness } from '../kernel/randomness.ts';
import type { Patience } from '../sharing/patience.ts';
import { checkText } from '../kernel/text.ts';
import type { Job, JobTask, JobWork } from './job.ts';
import type { JobStore } from './job-store.ts';

interface Dependencies {
  readonly jobs: JobStore;
  readonly randomness: Randomness;
}

interface Command {
  readonly record: ConfigRecord;
  readonly precondition: Precondition;
  readonly work: JobWork;
  readonly author: Author;
  readonly patience?: Patience;
}

const TYPE_MAX = 200;

/**
 * Queues a job. Invalid fields are refused at once; a refusal that depends on the state of the record fails the job
 * later.
 */
export async function queueJob(
  { jobs, randomness }: Dependencies,
  { record, precondition, work, author, patience }: Command,
): Promise<Job> {
  if (work.kind === 'change') checkTexts(work.change);
  else checkTask(work.task);
  checkPrecondition(precondition, record.version);
  const job: Job = {
    id: randomness.uuid(),
    record: { projectId: record.projectId, family: record.family, id: record.id },
    work,
    state: 'queued',
    attempts: 0,
    error: null,
    actor: author.actor,
    requestId: author.requestId,
    createdAt: author.at,
    startedAt: null,
    finishedAt: null,
  };
  await jobs.queue(job, precondition, patience);
  return job;
}

function checkTask({ type, payload, operation }: JobTask): void {
  if (type === '') throw new DomainError('blank', 'This field may not be blank.', { attr: 'job.type' });
  checkText(type, { attr: 'job.type', max: TYPE_MAX });
  if (operation !== null) checkText(operation, { attr: 'job.operation', max: TYPE_MAX });
  checkJson(payload, 'job.payload');
  checkNumbers(payload, 'job.payload');
}
