import type { ErrorMessage, MessageOrigin } from './message.ts';

/** When the source took a message in: by the stream's clock where it came by a stream. */
export function takenInAt({ streamTime, receivedAt }: MessageOrigin): number {
  return (streamTime ?? receivedAt).getTime();
}

/**
 * Whether a report holds against another one of the same record, in whatever order they arrive: by when it happened,
 * then by when and where its source took it in. Where all of that is the same, an error holds against none, and of two
 * errors the one with the greater text.
 */
export function isLaterError(a: ErrorMessage, b: ErrorMessage): boolean {
  const difference =
    a.timestamp - b.timestamp || takenInAt(a.origin) - takenInAt(b.origin) || a.position - b.position;
  if (difference !== 0) return difference > 0;
  if (a.error === null || b.error === null) return a.error !== null && b.error === null;
  return isGreater(a.error, b.error);
}

/** By code points, as the database compares. */
function isGreater(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return rank(a.charCodeAt(at)) > rank(b.charCodeAt(at));
}

/** Surrogates stand for code points above all others; the end of a text is below any. */
function rank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit;
}
