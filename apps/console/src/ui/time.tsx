import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from './relative-time.ts';

const TICK_MS = 5000;

/** A relative time, with the exact time in the user's zone as a tooltip. */
export function Time({ at }: { readonly at: string }) {
  const now = useSyncExternalStore(onTick, tick);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(Date.parse(at), now)}
    </time>
  );
}

/** The current time, rounded down to a tick. */
const tick = (): number => Math.floor(Date.now() / TICK_MS) * TICK_MS;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** All times on the page share one timer. */
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
