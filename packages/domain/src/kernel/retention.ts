/**
 * Deletes what has at least this age by the clock of the store, oldest first, in portions that are small in rows and bytes.
 * Yields the size of each portion. Ends when none is left, or if another worker is already deleting.
 */
export type DropOld = (ageMs: number) => AsyncIterable<number>;

/** What is deleted by its age. */
export interface Retention {
  /** Jobs, by the time of their end. */
  readonly finishedJobs: DropOld;
  readonly activity: DropOld;
  /** The answers that are kept for repeated requests. */
  readonly keptAnswers: DropOld;
  readonly arrivals: DropOld;
  /** Logs, by the time when somebody followed them last: they are followed no more. */
  readonly followedLogs: DropOld;
}
