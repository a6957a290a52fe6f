import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from './format.ts';

const TICK_MS = 5000;

interface Properties {
  readonly at: string;
  /** A text before the time. */
  readonly before?: string;
}

/** A relative time, with the exact time in the user's zone as a tooltip. */
export function Time({ at, before = '' }: Properties) {
  const now = useSyncExternalStore(onTick, tick);
  return (
    <>
      {before}
      <time dateTime={at} title={exactTime(at)}>
        {relativeTime(Date.parse(at), now)}
      </time>
    </>
  );
}

/** The current time, rounded down to a tick. */
const tick = (): number => Math.floor(Date.now() / TICK_MS) * TICK_MS;

function onTick(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}
