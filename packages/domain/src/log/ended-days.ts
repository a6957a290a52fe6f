import type { LogEntry } from './log-entry.ts';

/** An ended day with entries in the primary store. */
export interface DueDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  /** The run that copies the day. An interrupted run is repeated under the same number. */
  readonly run: number;
}

/** Equal for equal sets of entries. */
export interface EntriesSummary {
  readonly count: number;
  readonly digest: string;
}

/** The ended days in the primary store, from which they can be taken out once they are copied. */
export interface EndedDays {
  /** Returns the days that ended more than this many days ago and still have entries, oldest first. */
  due(hotDays: number): Promise<readonly DueDay[]>;
  /** Yields the entries of the day in chunks. */
  chunks(day: number): AsyncIterable<readonly LogEntry[]>;
  summary(day: number): Promise<StoredSummary>;
  /**
   * Marks the day as copied by the run, and drops its entries. Resolves to false without any change if entries were
   * stored or erased since the summary.
   * @throws DomainError `busy` if the day is in use
   */
  takeOut(due: DueDay, summary: StoredSummary): Promise<boolean>;
}

export interface StoredSummary extends EntriesSummary {
  /** Changes whenever entries of the day are stored or erased. */
  readonly state: string;
}
