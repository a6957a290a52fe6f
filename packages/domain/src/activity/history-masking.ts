export interface HistoryMasking {
  /**
   * Masks what has become secret in the stored histories and editions, in portions. Yields the size of each portion. An
   * `ActivityLog` and an `EditionStore` do not show it before, either.
   */
  maskNoted(): AsyncIterable<number>;
}
