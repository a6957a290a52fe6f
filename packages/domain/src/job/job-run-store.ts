import type { NewActivity } from '../activity/activity-entry.ts';
import type { StoredConfiguration } from '../config-record/configuration.ts';
import type { ConfigRecord } from '../config-record/config-record.ts';
import type { Decision } from '../config-record/store-change.ts';
import type { Job } from './job.ts';
import type { JobLine } from './job-handler.ts';

export interface Claim {
  readonly at: Date;
  /** A job whose claim is older is taken as lost with its worker, and may be claimed again. */
  readonly leaseMs: number;
}

/** The record of a claimed job, held until the job is settled. */
export interface HeldJob {
  readonly record: ConfigRecord;
  /** The record's configuration, and what another plugin expects of it. */
  readonly configuration: (plugin: number) => Promise<StoredConfiguration | null>;
}

export interface Settlement {
  /** `queued`: it is tried again from `dueAt` on. */
  readonly state: 'queued' | 'succeeded' | 'failed';
  readonly error: string | null;
  readonly dueAt: Date | null;
  readonly at: Date;
  /** What becomes of the record; null where it stays. */
  readonly decision: Decision | null;
  readonly activity: readonly NewActivity[];
  readonly lines: readonly JobLine[];
}

/** The worker's side of the jobs. Lines go to the log of plugin configs; the other family has none. */
export interface JobRunStore {
  /**
   * Takes the job that is due the longest, for one worker alone: running, with one more try, told in the log. One that
   * lost its worker at the last try is claimed past it, only to be given up.
   */
  claim(claim: Claim): Promise<Job | null>;
  /** The record of the job and its configuration. @throws DomainError `not_found` */
  configuration(job: Job): Promise<StoredConfiguration>;
  /**
   * Stores the effect and the end of a try in one step, unless the job was claimed anew or settled meanwhile: then
   * nothing is stored, and it resolves to false. May decide several times; the last one counts. What was claimed past
   * the last try ends with no more than the tries that there are.
   */
  settle(job: Job, decide: (held: HeldJob) => Promise<Settlement>): Promise<boolean>;
  /** How many wait or run, for the metrics. */
  waiting(): Promise<{ readonly queued: number; readonly running: number }>;
}
