import { setTimeout as sleep } from 'node:timers/promises';

interface Questions {
  /** Resolves to false if no answer comes before the next question. */
  ask(): Promise<boolean>;
  readonly everyMs: number;
  /** The unanswered questions in a row that are too many. */
  readonly most: number;
}

/**
 * Resolves to true once too many questions in a row are unanswered, or to false when `ended` is aborted. Counts questions
 * instead of time: a suspended machine leaves one unanswered at most.
 */
export async function untilUnanswered(
  { ask, everyMs, most }: Questions,
  ended: AbortSignal,
): Promise<boolean> {
  let unanswered = 0;
  while (!ended.aborted && unanswered < most) {
    const interval = sleep(everyMs, undefined, { signal: ended }).catch(() => {});
    unanswered = (await ask()) ? 0 : unanswered + 1;
    await interval;
  }
  return !ended.aborted;
}
