import type { ClaimedJob, Json } from '../wire.ts';

/** A job that a handler does. */
export type RunningJob = ClaimedJob & {
  /** Aborted when the job is cancelled, when another runtime may have it, and when the runtime closes. */
  readonly signal: AbortSignal;
  /** Shows how much is done, from 0 to 1, and what. Sent at most once a second. */
  progress(done: number, message?: string): void;
};

/** Does a job. What it returns is the output: any JSON of at most 64 KiB. If it throws, the job fails. */
export type JobHandler = (job: RunningJob) => unknown;

/** Whether a configuration works. */
export interface CheckOutcome {
  readonly ok: boolean;
  /** What is wrong, by the key of the entry if there is one. */
  readonly errors?: readonly { readonly attr?: string | null | undefined; readonly detail: string }[];
  /** What else there is to say. */
  readonly details?: Json | undefined;
}

/** Tests the `config` of a job without a record. */
export type CheckHandler = (draft: RunningJob) => CheckOutcome | Promise<CheckOutcome>;

/** The handlers of the types of jobs that a plugin is registered with, and of checks. */
export interface JobHandlers {
  readonly check?: CheckHandler | undefined;
  readonly [type: string]: JobHandler | undefined;
}

export interface JobsOptions {
  /** Only jobs of these plugins. Defaults to those that the runtime follows. */
  readonly plugins?: readonly (number | `slug:${string}`)[] | undefined;
  /** How many jobs run at the same time. Defaults to 4. */
  readonly concurrency?: number | undefined;
  /** After how long another runtime gets a job if this one is gone. 10 to 600, by default 60. */
  readonly leaseSeconds?: number | undefined;
  /** How long closing waits for handlers. Defaults to 5,000 ms. */
  readonly closeTimeoutMs?: number | undefined;
}

/** Does jobs until it is closed. */
export interface JobRunner {
  /** Takes no more jobs, aborts the handlers, and waits for what they return. */
  close(): Promise<void>;
}

/** Thrown by a handler, lets the job be tried again later. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly retry = true;
}
