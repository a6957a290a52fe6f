/** The days of the logs. Whole days come and go, never single entries. */
export interface LogUpkeep {
  /** Makes room for these days. Days that have room stay as they are, and a day that was dropped stays so. */
  prepare(days: readonly Date[]): Promise<void>;
  /**
   * Drops the days before this one, with all that was counted and remembered about them. From then on nothing can
   * be stored on them. Resolves to the days that it dropped; one that is in use is left for the next time.
   */
  dropBefore(day: Date): Promise<readonly Date[]>;
}
