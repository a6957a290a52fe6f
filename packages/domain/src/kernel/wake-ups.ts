/** The kinds of announced changes. `log`: entries, by the id of their record. `family`: records, by the id of their project. */
export type WakeUpChannel = 'log' | 'family';

/**
 * Wakes readers of stored changes, whichever process made the changes. A wake-up says only that a reader must look
 * again: it may come late, in vain, or once for several changes. The stored changes are the truth.
 */
export interface WakeUps {
  /** Whether announcements arrive at once. */
  readonly isLive: boolean;
  /**
   * Calls `wake` after every change that is announced for this id, when the change can be read. Where an announcement
   * may be lost, `wake` is called now and then. Returns a function that ends the calls.
   */
  listen(channel: WakeUpChannel, id: number, wake: () => void): () => void;
}

/** The listeners of one process. Adapters of `WakeUps` keep them here. */
export interface WakeUpListeners extends Pick<WakeUps, 'listen'> {
  readonly size: number;
  /** Calls the listeners of these ids, or all of the channel. */
  wake(channel: WakeUpChannel, ids: Iterable<number> | 'all'): void;
  wakeAll(): void;
}

export function wakeUpListeners(): WakeUpListeners {
  const channels = new Map<WakeUpChannel, Map<number, Set<() => void>>>();
  let size = 0;
  const wake: WakeUpListeners['wake'] = (channel, ids) => {
    const listeners = channels.get(channel);
    if (listeners === undefined) return;
    for (const id of ids === 'all' ? [...listeners.keys()] : ids) {
      for (const listener of listeners.get(id) ?? []) listener();
    }
  };
  return {
    get size() {
      return size;
    },
    listen(channel, id, listener) {
      const ids = channels.get(channel) ?? new Map<number, Set<() => void>>();
      const own = () => listener();
      channels.set(channel, ids);
      ids.set(id, (ids.get(id) ?? new Set()).add(own));
      size++;
      return () => {
        const listeners = ids.get(id);
        if (listeners?.delete(own) !== true) return;
        size--;
        if (listeners.size === 0) ids.delete(id);
      };
    },
    wake,
    wakeAll() {
      for (const channel of channels.keys()) wake(channel, 'all');
    },
  };
}
