/**
 * Wakes readers of logs when entries are stored, whichever process stored them. A wake-up says only that a reader must
 * look again: it may come late, in vain, or once for several batches. The stored entries are the truth.
 */
export interface WakeUps {
  /** Whether announcements arrive at once. If not, `wake` is called now and then. */
  readonly isLive: boolean;
  /**
   * Calls `wake` after every batch that is announced for the log of this record, when its entries can be read. Returns
   * a function that ends the calls.
   */
  listen(recordId: number, wake: () => void): () => void;
}
