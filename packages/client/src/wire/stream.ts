import type { LogEntry } from './log.ts';

/** One event of a stream. Its id is the place in the stream: with it, another stream goes on after this event. */
export interface StreamEvent<Name extends string = string, Data = unknown> {
  readonly event: Name;
  readonly id: string;
  readonly data: Data;
}

/** The stream could not go on where it was left: something may be missing, so read everything anew. It goes on by itself. */
export type ResetEvent = StreamEvent<'reset', { readonly reason: 'malformed_cursor' | 'unknown_cursor' }>;

/** An entry was stored in the log. */
export type LogEvent = StreamEvent<'log', LogEntry>;

/** The answer of a record may have changed. */
export type RecordEvent = StreamEvent<
  'record',
  { readonly id: number; readonly version: number; readonly deleted: boolean }
>;

/** The records of the family were rearranged. */
export type OrderEvent = StreamEvent<'order', Readonly<Record<string, never>>>;
