import type { NewActivity } from '../activity/activity-entry.ts';
import type { Registration } from '../plugin/registration.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { PlannedWrite } from '../record/config-record-store.ts';
import type { JobWork, ListedJob } from './job.ts';
import type { JobLine } from './job-handler.ts';

export interface ClaimOptions {
  /** The lease. After it, an unsettled job counts as lost with its worker, and may be claimed again. */
  readonly leaseMs: number;
  /** The projects whose jobs this worker does not claim now. */
  readonly except: readonly number[];
}

export interface ClaimedJob extends ListedJob {
  /** An error if it cannot be decrypted, which is a failure of this job alone. */
  readonly work: JobWork | Error;
  /** The number of the claim, counted per job. Only the latest claim can settle the job. */
  readonly claim: number;
  /** Whether the key that queued it was revoked before the claim. */
  readonly isKeyRevoked: boolean;
}

/** The record of a claimed job, locked until the job is settled. */
export interface LockedJob {
  readonly record: ConfigRecord;
  /** Whether the key that queued it is revoked. If not, a revocation waits until the job is settled. */
  readonly isKeyRevoked: boolean;
  /** The time of the store, which all workers share. */
  readonly at: Date;
  /** Reads the registration of a plugin. */
  readonly registration: (plugin: number) => Promise<Registration>;
}

export interface Settlement {
  readonly state: 'queued' | 'succeeded' | 'failed';
  /** The number of used attempts. */
  readonly attempts: number;
  readonly error: string | null;
  /** The delay of the next attempt of a queued job; otherwise null. */
  readonly dueInMs: number | null;
  /** The change of the record; null if there is none. */
  readonly write: PlannedWrite | null;
  readonly activity: readonly NewActivity[];
  /** Lines for the log of the record, if it has a log. */
  readonly lines: readonly JobLine[];
}

export interface Backlog {
  readonly queued: number;
  readonly running: number;
  /** How long the job that has been due the longest has waited for a worker; 0 if no job is due. */
  readonly oldestDueMs: number;
}

/**
 * The jobs as workers see them. Lines for the logs are stored in the outbox (`LogOutbox`), in the same step. The clock
 * of the store measures leases and delays, because the clocks of workers may differ.
 */
export interface JobRunStore {
  /**
   * Claims a job for one worker: sets it running, counts the attempt and writes a line for the log. Projects with due
   * jobs take turns; within a project, the job that has been due the longest comes first. A record has one running job at a time, so
   * that its jobs take effect in the order in which they were queued. A job whose worker was lost
   * during the last attempt is claimed once more, only to fail.
   */
  claim(options: ClaimOptions): Promise<ClaimedJob | null>;
  /**
   * Stores the effect and the end of an attempt in one step. Resolves to false and stores nothing if the job was
   * claimed again or settled meanwhile. May call `decide` several times; the last result counts.
   */
  settle(job: ClaimedJob, decide: (locked: LockedJob) => Promise<Settlement>): Promise<boolean>;
  /** The numbers of waiting and running jobs, for the metrics. */
  backlog(): Promise<Backlog>;
}
