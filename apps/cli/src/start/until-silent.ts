import { setTimeout as sleep } from 'node:timers/promises';
import { statusOf } from './status-of.ts';

const QUESTIONS = 6;

/**
 * Resolves to true once the address has given no answer at all for so long, and to false when `ended`. Counts the
 * questions in a row that had no answer, not the time: while the machine is suspended, no more than one goes unanswered.
 */
export async function untilSilent(url: string, silentForMs: number, ended: AbortSignal): Promise<boolean> {
  const intervalMs = silentForMs / QUESTIONS;
  let unanswered = 0;
  while (!ended.aborted && unanswered < QUESTIONS) {
    const interval = sleep(intervalMs, undefined, { signal: ended }).catch(() => {});
    const status = await statusOf(url, intervalMs, ended);
    unanswered = status === undefined ? unanswered + 1 : 0;
    await interval;
  }
  return !ended.aborted;
}
