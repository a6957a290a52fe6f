export interface ActivityUpkeep {
  /**
   * Deletes the entries that are at least so old, by the store's clock, in the order in which they were written. Goes on
   * portion by portion, each small in rows and bytes, and yields how many it had. Ends at the first portion without an
   * old entry, or where another worker is at it.
   */
  dropOld(ageMs: number): AsyncIterable<number>;
}
