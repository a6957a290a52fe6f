/**
 * Deletes what has at least this age by the clock of the store, oldest first, in chunks that are small in rows and bytes.
 * Yields the size of each chunk. Ends when none is left, or if another worker is already deleting.
 */
export type DropOld = (ageMs: number) => AsyncIterable<number>;

/** What is deleted by its age or its number. */
export interface Retention {
  /** Jobs, by the time of their end. */
  readonly finishedJobs: DropOld;
  readonly activity: DropOld;
  /** The answers that are kept for repeated requests. */
  readonly keptAnswers: DropOld;
  readonly sequence: DropOld;
  /**
   * The revisions of each record but the newest ones, whose number is given: the present one counts, too. Yields as `DropOld` does,
   * and 0 after a chunk of records that have no more.
   */
  readonly revisions: (kept: number) => AsyncIterable<number>;
  /** Logs, by the time when somebody followed them last: they are followed no more. */
  readonly followedLogs: DropOld;
  /** Runtimes, by their last report. Yields 0 after a chunk in which none is old. */
  readonly runtimes: DropOld;
  /** Days of the usage of logs. */
  readonly usage: DropOld;
  /** Deliveries of minutes. */
  readonly deliveryMinutes: DropOld;
  /** Whole days of deliveries, one in each chunk. A day is deleted only after that day of the logs, so nothing can change it. */
  readonly deliveryDays: DropOld;
}
