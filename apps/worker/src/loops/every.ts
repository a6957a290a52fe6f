import { setTimeout as sleep } from 'node:timers/promises';

/** Does it again and again, with a pause in between. */
export async function every(ms: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}
