import type { LogEntry } from './log.ts';

/** An event of a stream. Its id is a cursor with which another stream can resume after this event. */
export interface StreamEvent<Name extends string = string, Data = unknown> {
  readonly event: Name;
  readonly id: string;
  readonly data: Data;
}

/** The stream could not resume at its cursor, so events may be missing. Read everything again; the stream continues. */
export type ResetEvent = StreamEvent<
  'reset',
  { readonly reason: 'malformed_cursor' | 'unknown_cursor' | 'plugin_changed' }
>;

/** An entry was stored in the log. */
export type LogEvent = StreamEvent<'log', LogEntry>;

/** A record may have changed. */
export type RecordEvent = StreamEvent<
  'record',
  { readonly id: number; readonly version: number; readonly deleted: boolean }
>;

/** The records of the family were rearranged. */
export type OrderEvent = StreamEvent<'order', Readonly<Record<string, never>>>;
