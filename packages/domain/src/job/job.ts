import type { Actor } from '../kernel/author.ts';
import type { RecordChange } from '../record/config-record.ts';
import type { RecordRef } from '../project/family.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json } from '../kernel/json.ts';
import type { JobState } from '../vocabulary/vocabulary.ts';

/** A change to the record, or a task for a handler of the plugin. */
export type JobWork =
  | { readonly kind: 'change'; readonly change: RecordChange }
  | { readonly kind: 'task'; readonly task: JobTask };

export interface JobTask {
  readonly type: string;
  readonly payload: Json;
  readonly operation: string | null;
}

export interface Job {
  readonly id: string;
  readonly record: RecordRef;
  readonly work: JobWork;
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

/** A job without its work, which may be large and has secret values. */
export type ListedJob = Omit<Job, 'work'>;

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

const PUT_BACK_FIRST_PAUSE_MS = 5_000;
const PUT_BACK_LONGEST_PAUSE_MS = 300_000;

/**
 * Thrown if an attempt cannot start or continue for a reason unrelated to the job: the job returns to the queue, and
 * the attempt does not count.
 */
export class PutBack extends Error {
  override readonly name = 'PutBack';
  /** Whether the job is due immediately, because another worker can run it. */
  readonly atOnce: boolean;

  constructor(message: string, { atOnce = false }: { readonly atOnce?: boolean } = {}) {
    super(message);
    this.atOnce = atOnce;
  }
}

/** Returns the delay of a job that has been put back this many times before. */
export function backOffAfterPutBack(times: number): number {
  return Math.min(PUT_BACK_LONGEST_PAUSE_MS, PUT_BACK_FIRST_PAUSE_MS * 2 ** times);
}
