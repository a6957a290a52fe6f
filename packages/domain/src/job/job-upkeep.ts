export interface JobUpkeep {
  /**
   * Deletes the jobs that finished at least so long ago, by the store's clock, oldest first. Goes on portion by portion,
   * each small in rows and bytes, and yields how many it had. Ends where none is left, or where another worker is at it.
   */
  dropFinished(ageMs: number): AsyncIterable<number>;
}
