import type { StopSignal } from '@plugin-config/flow';

/** Creates a signal, and a function that aborts it. */
export function anInterruption() {
  const listeners = new Set<() => void>();
  let aborted = false;
  const signal: StopSignal = {
    get aborted() {
      return aborted;
    },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  };
  return {
    signal,
    abort: (): void => {
      aborted = true;
      for (const listener of listeners) listener();
    },
  };
}
