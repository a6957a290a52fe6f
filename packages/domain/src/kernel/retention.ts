/**
 * Deletes rows of at least this age by the store's clock, oldest first, in chunks bounded by rows and bytes.
 * Yields the size of each chunk. Ends when no rows are left, or when another worker is already deleting.
 */
export type DropOld = (ageMs: number) => AsyncIterable<number>;

/** Deletes old data, by age or by count. */
export interface Retention {
  /** Finished jobs, by their end time. */
  readonly finishedJobs: DropOld;
  /** Checks of configurations, by their end time. */
  readonly checks: DropOld;
  readonly activity: DropOld;
  /** Responses kept for repeated requests. */
  readonly keptResponses: DropOld;
  readonly sequence: DropOld;
  /**
   * The revisions of each record except the newest `kept`, counting the current one. Yields like `DropOld`,
   * and yields 0 for a chunk of records with no old revisions.
   */
  readonly revisions: (kept: number) => AsyncIterable<number>;
  /** Stops following logs that have had no readers for this long. */
  readonly followedLogs: DropOld;
  /** Runtimes, by their last report. Yields 0 for a chunk without old runtimes. */
  readonly runtimes: DropOld;
  /** Incidents, by the time they were closed. */
  readonly incidents: DropOld;
  /** Dispatches of webhooks. */
  readonly dispatches: DropOld;
  /** Daily log usage. */
  readonly usage: DropOld;
  /** Sums of deliveries, and failed ones, by the time that they are of. */
  readonly deliveries: DropOld;
  /** The hourly counts of dropped days of logs. Yields like `DropOld`. */
  logCounts(): AsyncIterable<number>;
  /** Forgets the ids of delivery reports that were received more than two days before today. */
  reportIds(): Promise<void>;
}
