import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** After this time without a failure, the back-off starts over. */
const RESET_MS = 30_000;

/** Waits after a failure, doubling the delay each time. The signal ends the wait early. */
export type BackOff = (signal: AbortSignal) => Promise<void>;

export function backOff(): BackOff {
  let next = FIRST_MS;
  let endedAt = 0;
  return async (signal) => {
    if (performance.now() - endedAt > RESET_MS) next = FIRST_MS;
    const pause = next;
    next = Math.min(LONGEST_MS, next * 2);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    endedAt = performance.now();
  };
}
