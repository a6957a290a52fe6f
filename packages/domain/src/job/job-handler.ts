import type { ConfigRecord, RecordChange } from '../record/config-record.ts';
import type { Interruption } from '@plugin-config/flow';
import type { JsonObject } from '../kernel/json.ts';
import type { JobTask, ListedJob } from './job.ts';

/** A line for the log of the job's record. */
export interface JobLine {
  readonly type: string;
  readonly message: string;
}

export interface JobRun {
  readonly job: ListedJob;
  readonly task: JobTask;
  readonly record: ConfigRecord;
  /** The configuration with the values of secrets. */
  readonly configuration: JsonObject;
}

/** The effect of a job on its record. It is stored once, however often the handler runs. */
export interface JobEffect {
  readonly change?: RecordChange;
  readonly lines?: readonly JobLine[];
}

/** Does the work of one type of task. */
export interface JobHandler {
  /** The type of task that the handler accepts. */
  readonly type: string;
  /**
   * May run more than once for a job, so its external effects must be idempotent. Throws to be retried. Should end when
   * the signal is aborted (time limit reached, or the worker stops); its result is then ignored.
   */
  run(run: JobRun, signal: Interruption): Promise<JobEffect>;
}
