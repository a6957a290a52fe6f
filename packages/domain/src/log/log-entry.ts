const TYPE_FORM = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;
const FORM = /^[A-Z][A-Z0-9_]{0,31}$/;

/** Whether the text has the form of a source or type. */
export function isLogWord(text: string): boolean {
  return FORM.test(text);
}

/** Names of other logging libraries for the known types. */
const TYPE_ALIASES: Readonly<Record<string, string>> = { WARNING: 'WARN', CRITICAL: 'ERROR', FATAL: 'ERROR' };

/** Returns the type as it is stored, in upper case and by its known name; null if it does not have the form of a type. */
export function logType(text: string): string | null {
  if (!TYPE_FORM.test(text)) return null;
  const upper = text.toUpperCase();
  return TYPE_ALIASES[upper] ?? upper;
}

/** A log, identified by its record. */
export interface LogRef {
  readonly projectId: number;
  readonly id: number;
}

/** The identity of an entry within a log. */
export interface EntryKey {
  readonly timestamp: Date;
  readonly id: string;
}

export function entryName({ timestamp, id }: EntryKey): string {
  return `${timestamp.getTime()} ${id}`;
}

/** One line of the log of a record. Its identity is (`recordId`, `timestamp`, `id`). */
export interface LogEntry extends EntryKey {
  readonly projectId: number;
  readonly plugin: number;
  readonly recordId: number;
  readonly source: string;
  readonly type: string;
  readonly message: string;
  readonly instanceId: string;
}

/**
 * The outcome for each entry, in order. `too_old`: its day was dropped. `unavailable`: its day has left the primary
 * store, and cannot be checked for duplicates now.
 */
export type AppendOutcomes = readonly ('stored' | 'duplicate' | 'too_old' | 'unavailable')[];
