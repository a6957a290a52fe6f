import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const ANSWER_WITHIN_MS = 2_000;

/** Asks again and again until the address answers 200, or `ended`. */
export async function untilReady(url: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if ((await statusOf(url, ended)) === 200) return;
    await sleep(POLL_MS, undefined, { signal: ended }).catch(() => {});
  }
}

async function statusOf(url: string, ended: AbortSignal): Promise<number | undefined> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  try {
    get(url, { agent: false, signal }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    return await promise;
  } catch {
    return undefined;
  }
}
