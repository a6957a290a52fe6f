import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** After so long without a failure, the next one is a first one again. */
const FORGOTTEN_MS = 30_000;

/** A pause after a failure, twice as long each time that it follows another. It ends early when it is told to stop. */
export type GrowingPause = (signal: AbortSignal) => Promise<void>;

export function growingPause(): GrowingPause {
  let next = FIRST_MS;
  let endedAt = 0;
  return async (signal) => {
    if (performance.now() - endedAt > FORGOTTEN_MS) next = FIRST_MS;
    const pause = next;
    next = Math.min(LONGEST_MS, next * 2);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    endedAt = performance.now();
  };
}
