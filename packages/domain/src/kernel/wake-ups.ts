/**
 * Wakes readers of logs when entries are stored, whichever process stored them. A wake-up says only that a reader must
 * look again: it may come late, in vain, or once for several batches. The stored entries are the truth.
 */
export interface WakeUps {
  /** Whether announcements arrive at once. */
  readonly isLive: boolean;
  /**
   * Calls `wake` after every batch that is announced for the log of this record, when its entries can be read. Where an
   * announcement may be lost, `wake` is called now and then. Returns a function that ends the calls.
   */
  listen(recordId: number, wake: () => void): () => void;
}

/** The listeners of one process. Adapters of `WakeUps` keep them here. */
export interface WakeUpListeners extends Pick<WakeUps, 'listen'> {
  readonly size: number;
  wake(recordIds: Iterable<number>): void;
  wakeAll(): void;
}

export function wakeUpListeners(): WakeUpListeners {
  const byRecord = new Map<number, Set<() => void>>();
  let size = 0;
  const wake: WakeUpListeners['wake'] = (recordIds) => {
    for (const id of recordIds) for (const listener of byRecord.get(id) ?? []) listener();
  };
  return {
    get size() {
      return size;
    },
    listen(recordId, listener) {
      const listeners = byRecord.get(recordId) ?? new Set();
      const own = () => listener();
      byRecord.set(recordId, listeners.add(own));
      size++;
      return () => {
        if (!listeners.delete(own)) return;
        size--;
        if (listeners.size === 0) byRecord.delete(recordId);
      };
    },
    wake,
    wakeAll: () => wake([...byRecord.keys()]),
  };
}
