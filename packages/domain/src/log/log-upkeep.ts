/** The days of the logs. A day is created for the first message stored on it, and dropped as a whole. */
export interface LogUpkeep {
  /**
   * Drops the days before the retention, with their counts and delivery ids. The clock of the store decides what today
   * is, so no caller can drop a day too early. Nothing can be stored on a dropped day. Resolves to the dropped days; a
   * day in use is left for the next call.
   */
  dropOverdue(retentionDays: number): Promise<readonly Date[]>;
  /**
   * The start of the oldest day that is not dropped, in milliseconds since 1970; minus infinity if no day was
   * dropped yet.
   */
  earliestKept(): Promise<number>;
  /** The days before the retention that are not dropped yet, oldest first. */
  overdue(retentionDays: number): Promise<readonly Date[]>;
  /** Adds what was stored since the last call to the counts of projects (`LogCounts.ofProject`). */
  sumUpProjects(): Promise<void>;
}
