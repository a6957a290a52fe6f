import type { KeyGrant } from '../access/api-key.ts';
import type { Json } from '../kernel/json.ts';
import type { FamilyRef } from '../project/family.ts';
import type { Family } from '../vocabulary/vocabulary.ts';
import type { Job, ListedJob, PluginWork } from './job.ts';
import type { Lane, LockedPluginJob, PluginJobEnd } from './plugin-job.ts';

/** A project with jobs of a lane that runtimes may take. */
export interface OpenLane extends Lane {
  readonly projectId: number;
}

/** The jobs that a runtime takes. */
export interface LaneFilter {
  readonly family: Family;
  readonly key: Pick<KeyGrant, 'projectIds'>;
  /** Empty for all. */
  readonly plugins: readonly number[];
  readonly types: readonly string[];
}

export interface JobClaim {
  readonly keyId: number;
  readonly instance: string;
  /** Where to take jobs from, in turns. */
  readonly lanes: readonly OpenLane[];
  readonly limit: number;
  readonly leaseSeconds: number;
}

export interface TakenJob {
  readonly job: ListedJob;
  readonly externalId: string | null;
  readonly pluginSlug: string | null;
  readonly leaseExpiresAt: Date;
  readonly work: PluginWork;
}

export interface PluginJobRef extends FamilyRef {
  readonly id: string;
  /** The record; null for a check. */
  readonly recordId: number | null;
  readonly plugin: number;
  readonly taskId: number;
}

export interface Renewal {
  readonly instance: string;
  readonly leaseSeconds: number;
  readonly progress: number | null;
  readonly message: string | null;
}

export interface Renewed {
  readonly cancelled: boolean;
  readonly leaseExpiresAt: Date;
}

/** A job with what the runtime returned. */
export interface JobWithOutput extends ListedJob {
  readonly output: Json;
}

/** Jobs as the runtimes of plugins see them. Each has a task of the kind `plugin_job` until it ends. */
export interface PluginJobStore {
  /**
   * Finds lanes with jobs for these runtimes, and maybe others: all of projects that keys name; for keys of all projects, all lanes of a
   * plugin with few types, or some, and of each some projects, by turns. What this process took from longest ago comes first. The result
   * is not older than the call.
   */
  open(filters: readonly LaneFilter[]): Promise<readonly OpenLane[]>;
  /**
   * Takes jobs, at most one of each record: the oldest. Takes none if the key is revoked. If the record of a job is deleted or has
   * another plugin, the job is left to `settle`.
   */
  claim(claim: JobClaim): Promise<readonly TakenJob[]>;
  /** Finds a job that the key can take. */
  find(
    family: Family,
    id: string,
    key: Pick<KeyGrant, 'projectIds' | 'pluginIds'>,
  ): Promise<PluginJobRef | null>;
  /** Renews a lease, which does not go beyond the time of the job. Resolves to null if the runtime does not have the job. */
  renew(job: PluginJobRef, renewal: Renewal): Promise<Renewed | null>;
  /**
   * Stores the end of an attempt, its entry in the history, and what becomes of its task, in one step. Opens the next job of the
   * record. Stores nothing if `decide` returns null.
   */
  settle(
    job: PluginJobRef,
    unclaimedMs: number,
    decide: (locked: LockedPluginJob) => PluginJobEnd | null,
  ): Promise<PluginJobEnd | null>;
  /** Finds some jobs whose lease is over, or that nobody has taken for this long; checks, for `CHECK_UNCLAIMED_MS`. */
  overdue(unclaimedMs: number): Promise<readonly PluginJobRef[]>;
  /** Queues a check, which belongs to no record. */
  queueCheck(check: NewCheck): Promise<void>;
  findCheck(family: FamilyRef, id: string): Promise<JobWithOutput | null>;
  /** Reads what the runtime returned for a job of a record; null if there is nothing. */
  output(job: ListedJob): Promise<Json>;
}

export interface NewCheck extends Omit<Job, 'record'> {
  readonly family: FamilyRef;
}
