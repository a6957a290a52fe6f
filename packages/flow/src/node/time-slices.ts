import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TimeSlices } from '../time-slices.ts';

const SLICE_MS = 5;

/** Yields to the event loop between slices. */
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
