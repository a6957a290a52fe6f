import type { NewActivity } from '../activity/activity-entry.ts';
import type { StoredConfiguration } from '../record/stored-configuration.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { PlannedWrite } from '../record/store-change.ts';
import type { Job } from './job.ts';
import type { JobLine } from './job-handler.ts';

export interface Claim {
  /** A job that is not settled by then is taken as lost with its worker, and may be claimed again. */
  readonly leaseMs: number;
  /** Projects whose jobs are left to others. */
  readonly except: readonly number[];
}

export interface ClaimedJob extends Job {
  /** Its claims are numbered: it is settled only by the claim that came last. */
  readonly claim: number;
}

/** The record of a claimed job, held until the job is settled. */
export interface HeldJob {
  readonly record: ConfigRecord;
  /** The store's time, which all workers share. */
  readonly at: Date;
  /** The record's configuration, and what another plugin expects of it. */
  readonly configuration: (plugin: number) => Promise<StoredConfiguration | null>;
}

export interface Settlement {
  readonly state: 'queued' | 'succeeded' | 'failed';
  /** How many attempts are used up. */
  readonly attempts: number;
  readonly error: string | null;
  /** How long a queued job waits until it is tried again; null where it is not. */
  readonly dueInMs: number | null;
  /** What becomes of the record; null where it stays. */
  readonly decision: PlannedWrite | null;
  readonly activity: readonly NewActivity[];
  /** For the log of the record, where it has one. */
  readonly lines: readonly JobLine[];
}

export interface Backlog {
  readonly queued: number;
  readonly running: number;
  /** How long the job that is due the longest waits for a worker; 0 where none is due. */
  readonly oldestDueMs: number;
}

/**
 * The worker's side of the jobs. Lines for the logs are stored in the outbox (`LogOutbox`), in the same step. Leases and
 * pauses are measured by the store's clock: the workers' clocks may differ.
 */
export interface JobRunStore {
  /**
   * Takes a job for one worker alone: running, with one more attempt, and a line for the log. Projects with jobs that are due
   * take turns; of one project's jobs, the one that is due the longest comes first. A job that lost its worker at the
   * last attempt is claimed past it, only to be given up.
   */
  claim(claim: Claim): Promise<ClaimedJob | null>;
  /** The record of the job and its configuration. @throws DomainError `not_found` */
  configuration(job: Job): Promise<StoredConfiguration>;
  /**
   * Stores the effect and the end of an attempt in one step, unless the job was claimed anew or settled meanwhile: then
   * nothing is stored, and it resolves to false. May decide several times; the last one counts.
   */
  settle(job: ClaimedJob, decide: (held: HeldJob) => Promise<Settlement>): Promise<boolean>;
  /** What waits and what runs, for the metrics. */
  backlog(): Promise<Backlog>;
}
