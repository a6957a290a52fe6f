import type { Json } from './json.ts';
import type { PageQuery } from './page.ts';
import type { RecordChange } from './record.ts';

/** A job of a record and its state. */
export interface Job {
  readonly id: string;
  readonly state: JobState;
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly error: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface JobQuery extends PageQuery {
  /** Only jobs in this state. */
  readonly state?: JobState | undefined;
}

/** The fields that the job changes or, alone, a task for the plugin's own handler. */
export interface NewJob extends RecordChange {
  readonly job?: Task | undefined;
}

export interface Task {
  /** The name of the task, as known to the plugin's own handler. */
  readonly type: string;
  readonly payload?: Json | undefined;
  readonly operation?: string | null | undefined;
}
