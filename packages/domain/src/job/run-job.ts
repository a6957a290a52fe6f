import type { NewActivity } from '../activity/activity-entry.ts';
import { DomainError, isTransient } from '../kernel/domain-error.ts';
import type { Author } from '../kernel/author.ts';
import { storableText } from '../log/storable-text.ts';
import { decideUpdate, type AttachDependencies } from '../record/update-record.ts';
import { MAX_ATTEMPTS, backOffAfter, waitForKey } from './job.ts';
import type { JobRunStore, LockedJob, RunningJob, Settlement } from './job-run-store.ts';

interface Dependencies extends AttachDependencies {
  readonly jobRuns: Pick<JobRunStore, 'settle'>;
}

interface Failure {
  readonly error: string;
  /** `pauseMs` is the delay of the next attempt, if this one does not count. */
  readonly next: 'give up' | 'try again' | { readonly pauseMs: number };
}

const KEY_REVOKED: Failure = { error: 'The API key that queued the job was revoked.', next: 'give up' };
const WORKER_LOST: Failure = { error: 'The worker stopped during the last attempt.', next: 'give up' };

/**
 * Runs one attempt of a job. Its effect and its end are stored in one step, and only while the claim of its task is current.
 * Resolves to the new state of the job, or null if the claim was no longer current.
 */
export async function runJob(
  dependencies: Dependencies,
  job: RunningJob,
): Promise<Settlement['state'] | null> {
  let state: Settlement['state'] | null = null;
  const isCurrent = await dependencies.jobRuns.settle(job, async (locked) => {
    const settlement = await settle(dependencies, job, locked);
    state = settlement.state;
    return settlement;
  });
  return isCurrent ? state : null;
}

async function settle(
  dependencies: Dependencies,
  job: RunningJob,
  { record, isKeyRevoked, at, ...reads }: LockedJob,
): Promise<Settlement> {
  const { change } = job;
  const author: Author = { actor: job.actor, requestId: job.requestId, at };
  if (isKeyRevoked) return failed(job, KEY_REVOKED, author);
  if (job.attempts > MAX_ATTEMPTS) return failed(job, WORKER_LOST, author);
  if (change instanceof Error) return failed(job, failure(job, change), author);
  try {
    const write = await decideUpdate(dependencies, record, { change, author, ...reads });
    const activity: NewActivity = { ...author, activity: 'job_succeeded', changes: [] };
    const { attempts } = job;
    return { state: 'succeeded', attempts, error: null, dueInMs: null, write, activity: [activity] };
  } catch (error) {
    return failed(job, failure(job, error), author);
  }
}

function failed(job: RunningJob, { error, next }: Failure, author: Author): Settlement {
  const waiting = { state: 'queued', error, write: null, activity: [] } as const;
  if (typeof next === 'object') return { ...waiting, attempts: job.attempts - 1, dueInMs: next.pauseMs };
  const dueInMs = next === 'give up' ? null : backOffAfter(job.attempts);
  if (dueInMs !== null) return { ...waiting, attempts: job.attempts, dueInMs };
  return {
    state: 'failed',
    attempts: Math.min(job.attempts, MAX_ATTEMPTS),
    error,
    dueInMs: null,
    write: null,
    activity: [{ ...author, activity: 'job_failed', changes: [] }],
  };
}

/** Names the fields at fault. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof DomainError)) return thrown instanceof Error ? thrown.message : String(thrown);
  const errors = thrown.errors ?? [thrown];
  return errors.map(({ attr, message }) => (attr === null ? message : `${attr}: ${message}`)).join(' ');
}

/** Domain rejections are final; any other failure may be temporary. */
function failure({ task, attempts }: RunningJob, thrown: unknown): Failure {
  const error = storableText(describe(thrown));
  if (thrown instanceof DomainError && thrown.code === 'key_missing') {
    return { error, next: { pauseMs: waitForKey(task.attempts - attempts) } };
  }
  const isRetryable = !(thrown instanceof DomainError) || isTransient(thrown);
  return { error, next: isRetryable ? 'try again' : 'give up' };
}
