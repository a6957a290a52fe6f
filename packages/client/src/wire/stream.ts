import type { LogEntry } from './log.ts';

/** One event of a stream. Its id is the cursor after it: with it, another stream resumes after this event. */
export interface StreamEvent<Name extends string = string, Data = unknown> {
  readonly event: Name;
  readonly id: string;
  readonly data: Data;
}

/** The stream could not resume at its cursor: events may be missing, so read everything again. The stream itself continues. */
export type ResetEvent = StreamEvent<
  'reset',
  { readonly reason: 'malformed_cursor' | 'unknown_cursor' | 'plugin_changed' }
>;

/** An entry was stored in the log. */
export type LogEvent = StreamEvent<'log', LogEntry>;

/** The answer of a record may have changed. */
export type RecordEvent = StreamEvent<
  'record',
  { readonly id: number; readonly version: number; readonly deleted: boolean }
>;

/** The records of the family were rearranged. */
export type OrderEvent = StreamEvent<'order', Readonly<Record<string, never>>>;
