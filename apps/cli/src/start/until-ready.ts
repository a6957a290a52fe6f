import { setTimeout as sleep } from 'node:timers/promises';
import { statusOf } from './status-of.ts';

const POLL_MS = 50;
const ANSWER_WITHIN_MS = 2_000;

/** Polls the URL until it answers 200 or `ended` is aborted. */
export async function untilReady(url: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if ((await statusOf(url, ANSWER_WITHIN_MS, ended)) === 200) return;
    await sleep(POLL_MS, undefined, { signal: ended }).catch(() => {});
  }
}
