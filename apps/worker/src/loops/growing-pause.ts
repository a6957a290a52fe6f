import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 200;
const LONGEST_MS = 10_000;

/** A pause that is twice as long each time, until something went well. */
export interface GrowingPause {
  /** Ends early when the signal is aborted. Resolves to how long it was meant to be. */
  take(signal: AbortSignal): Promise<void>;
  reset(): void;
}

export function growingPause(): GrowingPause {
  let next = FIRST_MS;
  return {
    take: async (signal) => {
      const pause = next;
      next = Math.min(LONGEST_MS, next * 2);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    },
    reset: () => {
      next = FIRST_MS;
    },
  };
}
