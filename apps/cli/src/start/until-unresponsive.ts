import { setTimeout as sleep } from 'node:timers/promises';
import { statusOf } from './status-of.ts';

const CHECKS = 6;

/**
 * Resolves to true once the URL has not answered for this long, or to false when `ended` is aborted. Counts failed checks
 * in a row instead of time: a suspended machine fails one check at most.
 */
export async function untilUnresponsive(
  url: string,
  unresponsiveForMs: number,
  ended: AbortSignal,
): Promise<boolean> {
  const intervalMs = unresponsiveForMs / CHECKS;
  let unanswered = 0;
  while (!ended.aborted && unanswered < CHECKS) {
    const interval = sleep(intervalMs, undefined, { signal: ended }).catch(() => {});
    const status = await statusOf(url, intervalMs, ended);
    unanswered = status === undefined ? unanswered + 1 : 0;
    await interval;
  }
  return !ended.aborted;
}
