import type { ConfigRecord, RecordChange } from '../record/config-record.ts';
import type { StopSignal } from '../ingestion/log-source.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Job, JobTask } from './job.ts';

/** A line for the record's log. */
export interface JobLine {
  readonly type: string;
  readonly message: string;
}

export interface JobRun {
  readonly job: Job;
  readonly task: JobTask;
  readonly record: ConfigRecord;
  /** With its secrets in the clear. */
  readonly configuration: JsonObject;
}

/** What the job does to its record. It takes effect once, however often the handler ran. */
export interface JobEffect {
  readonly change?: RecordChange;
  readonly lines?: readonly JobLine[];
}

/** Tells a handler to end, and why; an `AbortSignal` does. */
export interface Interruption extends StopSignal {
  readonly reason: unknown;
}

/** A plugin's own work. */
export interface JobHandler {
  /** The type of jobs that it takes. */
  readonly type: string;
  /**
   * May run more than once: effects outside of what it answers must bear that. Throws to be tried again. When the
   * signal is aborted (its time is up, or the worker stops) it should end; its answer is then ignored.
   */
  run(run: JobRun, signal: Interruption): Promise<JobEffect>;
}
