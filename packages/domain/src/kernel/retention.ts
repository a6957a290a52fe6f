/**
 * Deletes rows of at least this age by the store's clock, oldest first, in chunks bounded by rows and bytes.
 * Yields the size of each chunk, which may be 0. Ends when no rows are left, or when another worker is already deleting.
 */
export type DropOld = (ageMs: number) => AsyncIterable<number>;

/** Deletes old data. */
export interface Retention extends Readonly<Record<OldRows, DropOld>> {
  /** The revisions of each record except the newest `kept`, counting the current one. Yields like `DropOld`. */
  readonly revisions: (kept: number) => AsyncIterable<number>;
  /** Forgets the ids of delivery reports that were received more than two days before today. */
  reportIds(): Promise<void>;
}

/**
 * Jobs, checks, dispatches and incidents age from their end, runtimes from their last report, and followed logs, which are then
 * followed no longer, from their last reader. Of `logCounts`, only those of dropped days of logs are deleted.
 */
export type OldRows =
  | 'jobs'
  | 'checks'
  | 'activity'
  | 'keptResponses'
  | 'sequence'
  | 'followedLogs'
  | 'runtimes'
  | 'incidents'
  | 'dispatches'
  | 'daysOfUsage'
  | 'deliveries'
  | 'logCounts';
