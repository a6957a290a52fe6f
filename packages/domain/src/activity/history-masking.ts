export interface HistoryMasking {
  /**
   * Masks what has become secret in the stored histories, in portions. Yields the size of each portion. An `ActivityLog` does
   * not show it before, either.
   */
  maskNoted(): AsyncIterable<number>;
}
