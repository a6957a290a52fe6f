import type { ErrorMessage, MessageOrigin } from './message.ts';

/** Returns when the source received a message; for a stream, by the stream's clock. */
export function sourceTime({ streamTime, receivedAt }: MessageOrigin): number {
  return (streamTime ?? receivedAt).getTime();
}

/**
 * Whether an error report replaces another one for the same record, regardless of the order in which they are
 * processed. Compares the times of the errors, then the times and positions at which the source received them. If all
 * are equal, an error beats a cleared error, and of two errors the greater text wins.
 */
export function isLaterError(a: ErrorMessage, b: ErrorMessage): boolean {
  const difference =
    a.timestamp - b.timestamp || sourceTime(a.origin) - sourceTime(b.origin) || a.position - b.position;
  if (difference !== 0) return difference > 0;
  if (a.error === null || b.error === null) return a.error !== null && b.error === null;
  return isGreater(a.error, b.error);
}

/** Compares code points, like the database. */
function isGreater(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return rank(a.charCodeAt(at)) > rank(b.charCodeAt(at));
}

/** Ranks surrogates above all other units, and the end of the text below. */
function rank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit;
}
