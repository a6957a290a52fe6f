import { bytesOf, type StreamPart } from './stream-event.ts';

/** How far a reader may fall behind. */
export const BEHIND_MAX_BYTES = 1024 * 1024;

/** Ends a stream whose reader does not keep up. */
export class TooFarBehind extends Error {
  override readonly name = 'TooFarBehind';
}

/**
 * Parts on their way to one stream, for a source that sends the same parts to many. If the reader falls too far behind,
 * the queue drops its parts, and `next` throws.
 */
export interface EventQueue<Part extends StreamPart> {
  push(part: Part): void;
  /** Resolves to the next part, or to null when the signal is aborted. Call it only when the part before is sent. */
  next(): Promise<Part | null>;
}

export function eventQueue<Part extends StreamPart>(signal: AbortSignal): EventQueue<Part> {
  const parts: Part[] = [];
  let bytes = 0;
  let wake: (() => void) | null = null;
  const goOn = (): void => {
    wake?.();
    wake = null;
  };
  const isBehind = (): boolean => bytes > BEHIND_MAX_BYTES;
  signal.addEventListener('abort', goOn, { once: true });
  return {
    push(part) {
      if (isBehind() || signal.aborted) return;
      bytes += bytesOf(part).length;
      if (isBehind()) parts.length = 0;
      else parts.push(part);
      goOn();
    },
    async next() {
      while (parts.length === 0 && !isBehind() && !signal.aborted)
        await new Promise<void>((resolve) => (wake = resolve));
      if (signal.aborted) return null;
      const part = parts.shift();
      if (part === undefined) throw new TooFarBehind();
      bytes -= bytesOf(part).length;
      return part;
    },
  };
}
