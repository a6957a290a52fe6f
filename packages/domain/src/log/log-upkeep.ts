/** The days of the logs. A day is created for its first stored message, and dropped as a whole. */
export interface LogUpkeep {
  /**
   * Drops the days before the retention, with their counts and delivery ids. Today is determined by the store's
   * clock, so no caller can drop a day too early. Entries can no longer be stored on a dropped day. Resolves to the
   * dropped days; a day in use is left for the next call.
   */
  dropOverdue(retentionDays: number): Promise<readonly Date[]>;
  /**
   * Returns the start of the oldest day that was not dropped, in milliseconds since 1970; minus infinity if none
   * was dropped yet.
   */
  earliestKept(): Promise<number>;
  /** Returns the days before the retention that are not dropped yet, oldest first. */
  overdue(retentionDays: number): Promise<readonly Date[]>;
  /** Adds the entries stored since the last call to the project counts (`LogCounts.ofProject`). */
  sumUpProjects(): Promise<void>;
}
