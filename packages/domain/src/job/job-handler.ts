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
  /** The configuration, including secret values. */
  readonly configuration: JsonObject;
}

/** The effect of a job on its record. Stored once, even if the handler runs more than once. */
export interface JobEffect {
  readonly change?: RecordChange;
  readonly lines?: readonly JobLine[];
}

/** Handles one type of task. */
export interface JobHandler {
  readonly type: string;
  /**
   * May run more than once per job, so external effects must be idempotent. A handler that throws is retried. Should
   * end when the signal is aborted (time limit reached, or the worker stops); its result is then ignored.
   */
  run(run: JobRun, signal: Interruption): Promise<JobEffect>;
}
