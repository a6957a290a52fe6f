import { setImmediate } from 'node:timers';
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
  let early: Error[] | null = [];
  const emit = (error: Error): void => {
    for (const listener of all) {
      try {
        listener(error);
      } catch (bug) {
        // It is uncaught, as with any emitter of Node, but it does not end the loop.
        setImmediate(() => {
          throw bug;
        });
      }
    }
  };
  return {
    add(listener) {
      all.add(listener);
      return () => all.delete(listener);
    },
    emit(thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (early === null) emit(error);
      else early.push(error);
    },
    begin() {
      early?.forEach(emit);
      early = null;
    },
  };
}
