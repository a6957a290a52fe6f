import type { Interruption } from '@plugin-config/flow';

/** Creates a signal, and a function that aborts it. */
export function anInterruption() {
  const listeners = new Set<() => void>();
  let reason: unknown;
  const signal: Interruption = {
    get aborted() {
      return reason !== undefined;
    },
    get reason() {
      return reason;
    },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  };
  return {
    signal,
    abort: (error: Error): void => {
      reason = error;
      for (const listener of listeners) listener();
    },
  };
}
