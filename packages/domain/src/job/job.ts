import type { Actor } from '../kernel/author.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { RecordChange } from '../record/config-record.ts';
import type { RecordRef } from '../project/family.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { JobState } from '../vocabulary/vocabulary.ts';

/** What a job of a plugin gives to the runtime that takes it: a task for a record, or a configuration to test. */
export type PluginWork =
  | { readonly payload: Json; readonly operation: string | null }
  | { readonly config: JsonObject };

/** Work on a record that runs in the background: a change to the record, or a job of its plugin. */
export interface Job {
  readonly id: string;
  readonly record: RecordRef;
  readonly work: RecordChange | PluginWork;
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
  // The rest is null for a change.
  readonly plugin: number | null;
  readonly type: string | null;
  /** How long a runtime may take, from its claim. */
  readonly timeoutSeconds: number | null;
  /** The runtime that took it last. */
  readonly instance: string | null;
  /** How much of it is done, from 0 to 1, as the runtime says. */
  readonly progress: number | null;
  readonly message: string | null;
  /** Whether the runtime is asked to stop. */
  readonly cancelling: boolean;
}

/** A job without its work and its output, which are encrypted. */
export type ListedJob = Omit<Job, 'work'>;

/** The fields of a job that has just been queued. */
export const NEW_JOB = {
  state: 'queued',
  attempts: 0,
  error: null,
  startedAt: null,
  finishedAt: null,
  plugin: null,
  type: null,
  timeoutSeconds: null,
  instance: null,
  progress: null,
  message: null,
  cancelling: false,
} as const;

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
