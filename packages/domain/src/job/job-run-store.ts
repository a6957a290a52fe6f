import type { NewActivity } from '../activity/activity-entry.ts';
import type { Registration } from '../plugin/plugin.ts';
import type { ConfigRecord, RecordChange } from '../record/config-record.ts';
import type { RecordWithValues } from '../record/configured-record.ts';
import type { PlannedWrite } from '../record/config-record-store.ts';
import type { Task } from '../task/task-queue.ts';
import type { ListedJob } from './job.ts';

export interface RunningJob extends ListedJob {
  readonly task: Task;
  /** An error if the change cannot be decrypted. */
  readonly change: RecordChange | Error;
}

/** The record of a running job, locked until the job is settled. */
export interface LockedJob {
  readonly record: ConfigRecord;
  /** Whether the key that queued the job is revoked. If not, a revocation waits until the job is settled. */
  readonly isKeyRevoked: boolean;
  /** The time by the store's clock, which all workers share. */
  readonly at: Date;
  readonly registration: (plugin: number) => Promise<Registration>;
  readonly configured: () => Promise<RecordWithValues | null>;
}

export interface Settlement {
  readonly state: 'queued' | 'succeeded' | 'failed';
  /** The number of attempts used. */
  readonly attempts: number;
  readonly error: string | null;
  /** How long a queued job waits for its next attempt; otherwise null. */
  readonly dueInMs: number | null;
  readonly write: PlannedWrite | null;
  readonly activity: readonly NewActivity[];
}

/** Jobs as workers see them. Each has a task of the kind `job` until it ends. */
export interface JobRunStore {
  /**
   * Marks the job of a claimed task as running, and counts the attempt. Resolves to null if there is no such job any
   * more, or the claim is not current.
   */
  begin(task: Task): Promise<RunningJob | null>;
  /**
   * Stores the effect and the end of an attempt, and settles its task, in one step. Resolves to false and stores nothing
   * if the task has been claimed again or settled since. May call `decide` several times; the last result is stored.
   */
  settle(job: RunningJob, decide: (locked: LockedJob) => Promise<Settlement>): Promise<boolean>;
}
