import type { Actor } from '../kernel/author.ts';
import type { RecordChange } from '../record/config-record.ts';
import type { RecordRef } from '../project/family.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json } from '../kernel/json.ts';

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export type JobState = (typeof JOB_STATES)[number];

/** A change of the record, or a task for the plugin's own handler. */
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
  /** The actor that queued the job, and the author of its activity entries. */
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A job without its work, which may be large, and has values of secrets. */
export type ListedJob = Omit<Job, 'work'>;

/** The most unfinished jobs of a project. If both of its families get jobs at the same moment, there may be one more. */
export const UNFINISHED_JOBS_MAX = 10_000;
const RETRY_AFTER_S = 60;

export function tooManyJobs(): DomainError {
  return new DomainError(
    'throttled',
    `The project has ${UNFINISHED_JOBS_MAX} unfinished jobs. Wait until some have ended, or cancel queued ones.`,
    {
      retryAfterSeconds: RETRY_AFTER_S,
    },
  );
}

export const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1000;
const PAUSE_GROWTH = 4;

/** The back-off after a failed attempt; null after the last one. */
export function backOffAfter(attempts: number): number | null {
  return attempts >= MAX_ATTEMPTS ? null : FIRST_PAUSE_MS * PAUSE_GROWTH ** (attempts - 1);
}
