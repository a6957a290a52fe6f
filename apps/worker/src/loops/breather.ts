import { setImmediate as nextTurn } from 'node:timers/promises';

/** Divides long work into slices, so that others have their turn of the event loop in between. */
export interface Breather {
  /** Whether this slice has lasted long enough. */
  isDue(): boolean;
  /** Ends the slice. Resolves when the next one begins. */
  breathe(): Promise<void>;
}

const SLICE_MS = 5;

export function breather(): Breather {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > SLICE_MS,
    breathe: async () => {
      await nextTurn();
      since = performance.now();
    },
  };
}
