import type { LogEntry } from './log-entry.ts';

/** A kept day with entries that were not exported yet. */
export interface UnexportedDay {
  readonly day: Date;
  /** The number of its entries, exported ones included. */
  readonly entries: number;
}

/** Reads all logs of a store, so that another store can have them. Remembers how far each day is exported. */
export interface LogExport {
  /** The days with entries that were not exported yet, newest first. */
  unexportedDays(): Promise<readonly UnexportedDay[]>;
  /**
   * The entries of a day, from where an earlier export of it was interrupted. A portion counts as exported once the
   * next one is asked for. A day with entries that arrived behind that place begins anew with the next call after the
   * end.
   */
  portions(day: Date): AsyncIterable<readonly LogEntry[]>;
}
