import type { ErrorListener } from './plugin-runtime.ts';

export interface ErrorListeners {
  /** Returns a function that removes the listener. */
  add(listener: ErrorListener): () => void;
  emit(thrown: unknown): void;
  /** Emits the errors so far. They are held until the caller has had a chance to add listeners. */
  begin(): void;
}

export function errorListeners(): ErrorListeners {
  const listeners = new Set<ErrorListener>();
  let held: unknown[] | null = [];

  const emit = (thrown: unknown): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    for (const listener of listeners) listener(error);
  };

  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (thrown) => (held === null ? emit(thrown) : void held.push(thrown)),
    begin() {
      held?.forEach(emit);
      held = null;
    },
  };
}
