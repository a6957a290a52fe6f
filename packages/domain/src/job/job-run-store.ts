import type { NewActivity } from '../activity/activity-entry.ts';
import type { Registration } from '../plugin/plugin.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { PlannedWrite } from '../record/config-record-store.ts';
import type { JobWork, ListedJob } from './job.ts';
import type { JobLine } from './job-handler.ts';

export interface ClaimOptions {
  /** The lease. An unsettled job whose lease has expired can be claimed again, because its worker counts as lost. */
  readonly leaseMs: number;
  /** Projects whose jobs this worker does not claim at the moment. */
  readonly except: readonly number[];
}

export interface ClaimedJob extends ListedJob {
  /** An error if the work cannot be decrypted. It affects only this job. */
  readonly work: JobWork | Error;
  /** Counts the claims of the job. Only the latest claim can settle it. */
  readonly claim: number;
  /** Whether the key that queued the job was revoked before the claim. */
  readonly isKeyRevoked: boolean;
}

/** The record of a claimed job, locked until the job is settled. */
export interface LockedJob {
  readonly record: ConfigRecord;
  /** Whether the key that queued the job is revoked. If not, a revocation waits until the job is settled. */
  readonly isKeyRevoked: boolean;
  /** The time by the store's clock, which all workers share. */
  readonly at: Date;
  readonly registration: (plugin: number) => Promise<Registration>;
}

export interface Settlement {
  readonly state: 'queued' | 'succeeded' | 'failed';
  /** The number of attempts used. */
  readonly attempts: number;
  readonly error: string | null;
  /** How long a queued job waits for its next attempt; otherwise null. */
  readonly dueInMs: number | null;
  /** The change to the record, or null. */
  readonly write: PlannedWrite | null;
  readonly activity: readonly NewActivity[];
  /** Lines for the log of the record, if it has a log. */
  readonly lines: readonly JobLine[];
}

export interface Backlog {
  readonly queued: number;
  readonly running: number;
  /** How long the oldest due job has been waiting for a worker; 0 if no job is due. */
  readonly oldestDueMs: number;
}

/**
 * Jobs as workers see them. Their log lines go to the outbox (`LogOutbox`) in the same step. Leases and delays are
 * measured by the store's clock, because workers' clocks may differ.
 */
export interface JobRunStore {
  /**
   * Claims a job for one worker: marks it as running, counts the attempt and writes a log line. Projects take turns;
   * within a project, the job that has been due longest comes first. A record has one running job at a time, so its
   * jobs take effect in the order they were queued. A job whose worker was lost during the last attempt is claimed
   * once more, so that it can be marked as failed.
   */
  claim(options: ClaimOptions): Promise<ClaimedJob | null>;
  /**
   * Stores the effect and the end of an attempt in one step. Resolves to false and stores nothing if the job has been
   * claimed again or settled since. May call `decide` several times; the last result is stored.
   */
  settle(job: ClaimedJob, decide: (locked: LockedJob) => Promise<Settlement>): Promise<boolean>;
  /** Returns the numbers of waiting and running jobs, for metrics. */
  backlog(): Promise<Backlog>;
}
