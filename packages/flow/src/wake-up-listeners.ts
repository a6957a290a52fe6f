/** The wake-up listeners of one process, by id. */
export interface WakeUpListeners {
  readonly size: number;
  /** Calls `wake` each time the id is woken. Returns a function that stops listening. */
  listen(id: number, wake: () => void): () => void;
  wake(ids: Iterable<number>): void;
  wakeAll(): void;
}

export function wakeUpListeners(): WakeUpListeners {
  const byId = new Map<number, Set<() => void>>();
  let size = 0;
  const wake: WakeUpListeners['wake'] = (ids) => {
    for (const id of ids) for (const listener of byId.get(id) ?? []) listener();
  };
  return {
    get size() {
      return size;
    },
    listen(id, listener) {
      const listeners = byId.get(id) ?? new Set();
      const own = () => listener();
      byId.set(id, listeners.add(own));
      size++;
      return () => {
        if (!listeners.delete(own)) return;
        size--;
        if (listeners.size === 0) byId.delete(id);
      };
    },
    wake,
    wakeAll: () => wake([...byId.keys()]),
  };
}
