import { setImmediate as nextTurn } from 'node:timers/promises';

/** Divides long work into time slices, so that the event loop runs other work in between. */
export interface TimeSlices {
  /** Returns true if the current slice has used its time. */
  isDue(): boolean;
  /** Yields to the event loop. Resolves when the next slice begins. */
  yieldTurn(): Promise<void>;
}

const SLICE_MS = 5;

export function timeSlices(): TimeSlices {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > SLICE_MS,
    yieldTurn: async () => {
      await nextTurn();
      since = performance.now();
    },
  };
}
