import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats work with a pause in between, until the signal is aborted. */
export async function every(ms: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}
