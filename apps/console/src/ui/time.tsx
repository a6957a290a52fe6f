import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from './relative-time.ts';

const TICK_MS = 5000;

/** A time as its distance from now; the exact time in the reader's zone is at hand. */
export function Time({ at }: { readonly at: string }) {
  const now = useSyncExternalStore(onTick, tick);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(Date.parse(at), now)}
    </time>
  );
}

/** Now, in whole ticks. */
const tick = (): number => Math.floor(Date.now() / TICK_MS) * TICK_MS;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times of the page. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
