export interface ActivityUpkeep {
  /**
   * Deletes the entries that have at least this age by the clock of the store, oldest first, in portions that are small
   * in rows and bytes. Yields the size of each portion. Ends at the first portion without an old entry, or if another
   * worker is already deleting.
   */
  dropOld(ageMs: number): AsyncIterable<number>;
}
