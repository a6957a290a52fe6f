/**
 * Wakes readers of logs when any process has stored entries. A wake-up only means that a reader should look
 * again: it may be late, spurious, or cover several batches.
 */
export interface WakeUps {
  /** Whether wake-ups arrive at once. If false, `wake` is called periodically instead. */
  readonly isLive: boolean;
  /**
   * Calls `wake` after each batch for the log of this record, once its entries can be read. Returns a function
   * that stops listening.
   */
  listen(recordId: number, wake: () => void): () => void;
}
