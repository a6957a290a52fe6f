import type { Actor } from '../kernel/author.ts';
import type { RecordChange } from '../record/config-record.ts';
import type { RecordRef } from '../project/family.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { JobState } from '../vocabulary/vocabulary.ts';

/** A change to a record that runs in the background. */
export interface Job {
  readonly id: string;
  readonly record: RecordRef;
  readonly change: RecordChange;
  readonly state: JobState;
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly error: string | null;
  /** Who queued the job: the author of its activity entries. */
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A job without its change, which is encrypted. */
export type ListedJob = Omit<Job, 'change'>;

/**
 * The maximum number of unfinished jobs in a project. Queueing to both families at the same moment may exceed it by
 * one.
 */
export const UNFINISHED_JOBS_MAX = 10_000;
const RETRY_AFTER_S = 60;

export function tooManyJobs(): DomainError {
  return new DomainError(
    'throttled',
    `The project has ${UNFINISHED_JOBS_MAX} unfinished jobs. Wait until some have ended, or cancel some.`,
    {
      retryAfterSeconds: RETRY_AFTER_S,
    },
  );
}

export const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1000;
const PAUSE_GROWTH = 4;

/** Returns the delay after a failed attempt; null after the last one. */
export function backOffAfter(attempts: number): number | null {
  return attempts >= MAX_ATTEMPTS ? null : FIRST_PAUSE_MS * PAUSE_GROWTH ** (attempts - 1);
}

const FIRST_WAIT_FOR_KEY_MS = 5_000;
const LONGEST_WAIT_FOR_KEY_MS = 300_000;

/** Returns the delay of a job whose worker has no key to decrypt it, which has happened this many times before. */
export function waitForKey(times: number): number {
  return Math.min(LONGEST_WAIT_FOR_KEY_MS, FIRST_WAIT_FOR_KEY_MS * 2 ** times);
}
