/** The days of the logs. A day begins with the first message that is stored on it, and goes as a whole. */
export interface LogUpkeep {
  /**
   * Drops the days before the retention, with all that was counted and remembered about them. What today is, the
   * store's own clock says: no caller can have anything dropped that is to be kept. From then on nothing can be stored
   * on a dropped day. Resolves to the days that it dropped; those that somebody uses are left for the next time.
   */
  dropOver(retentionDays: number): Promise<readonly Date[]>;
  /** The start of the oldest day that is not dropped, in milliseconds since the epoch; minus infinity at first. */
  earliestKept(): Promise<number>;
  /** The days before the retention that are not dropped yet, oldest first. */
  overdue(retentionDays: number): Promise<readonly Date[]>;
}
