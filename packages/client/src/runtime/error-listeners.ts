import type { ErrorListener } from './plugin-runtime.ts';

/** Those who hear what goes wrong. */
export interface ErrorListeners {
  /** Returns a function that removes the listener. */
  add(listener: ErrorListener): () => void;
  emit(thrown: unknown): void;
  /** Emits what has gone wrong so far: until then, nobody could listen. */
  begin(): void;
}

export function errorListeners(): ErrorListeners {
  const all = new Set<ErrorListener>();
  let early: unknown[] | null = [];

  const emit = (thrown: unknown): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    for (const listener of all) listener(error);
  };

  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    emit: (thrown) => (early === null ? emit(thrown) : void early.push(thrown)),
    begin() {
      early?.forEach(emit);
      early = null;
    },
  };
}
