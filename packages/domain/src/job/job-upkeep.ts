export interface JobUpkeep {
  /**
   * Deletes the jobs that finished at least this long ago by the clock of the store, oldest first, in portions that are
   * small in rows and bytes. Yields the size of each portion. Ends when none is left, or if another worker is already
   * deleting.
   */
  dropFinished(ageMs: number): AsyncIterable<number>;
}
