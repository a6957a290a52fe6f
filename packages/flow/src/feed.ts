import type { StopSignal } from './stop-signal.ts';
import type { Timer } from './timer.ts';
import type { RecentReadings } from './recent-readings.ts';
import { retryTransient } from './retry-transient.ts';

/** After a read that found something, wake-ups are delayed by this multiple of its duration, to read more at once. */
const REST = { factor: 4, minMs: 20, maxMs: 1_000 };

/** The events after a position. */
export interface FeedPage<Position> {
  /** The position after the page. */
  readonly position: Position;
  /** Whether there was nothing more when the page was read. */
  readonly isLast: boolean;
}

/** The events of one source, such as a log, for all its streams in this process. */
export interface Feed<Position, Page> {
  /**
   * Yields the pages after a position as they become available, until the signal is aborted. Streams at the same
   * position share the read. Temporary failures delay a page.
   */
  after(position: Position, signal: StopSignal): AsyncGenerator<Page, void>;
  /** Makes the streams read again soon. */
  wake(): void;
}

/** A page, and the number of wake-ups before it was read. It may miss the events of later wake-ups. */
export interface Reading<Page> {
  readonly page: Page;
  readonly wakes: number;
}

interface Options<Position, Page> {
  /** Returns a name for the position that is unique among all feeds that share the recent readings. */
  readonly identify: (position: Position) => string;
  /** Reads a page. Returns one with the same position if there are no events after it. */
  readonly read: (position: Position) => Promise<Page>;
  readonly recent: RecentReadings<Reading<Page>>;
  readonly isTransient: (error: unknown) => boolean;
  /** Resolves when a stream may handle this page. All streams of a process share it, so only a few do at once. */
  readonly turn: (page: Page) => Promise<void>;
  readonly timer: Timer;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

export function feedOf<Position, Page extends FeedPage<Position>>({
  identify,
  read,
  recent,
  isTransient,
  turn,
  timer,
  now,
}: Options<Position, Page>): Feed<Position, Page> {
  const waiting = new Set<() => void>();
  const readings = new Map<string, Promise<Reading<Page>>>();
  let wakes = 0;
  let isResting = false;
  let isDue = false;

  const wake = (): void => {
    if (isResting) {
      isDue = true;
      return;
    }
    isDue = false;
    wakes++;
    for (const resume of waiting) resume();
    waiting.clear();
  };

  const rest = (tookMs: number): void => {
    if (isResting) return;
    isResting = true;
    const restMs = Math.min(REST.maxMs, Math.max(REST.minMs, Math.ceil(tookMs * REST.factor)));
    timer(() => {
      isResting = false;
      if (isDue) wake();
    }, restMs);
  };

  const startReading = async (name: string, position: Position): Promise<Reading<Page>> => {
    const [startedAt, before] = [now(), wakes];
    try {
      const page = await read(position);
      const reading = { page, wakes: before };
      if (identify(page.position) !== name) {
        recent.add(name, reading);
        rest(now() - startedAt);
      }
      return reading;
    } finally {
      readings.delete(name);
    }
  };

  const readAfter = async (position: Position): Promise<Reading<Page>> => {
    const name = identify(position);
    const known = recent.get(name) ?? readings.get(name);
    if (known !== undefined) return known;
    const reading = startReading(name, position);
    readings.set(name, reading);
    return reading;
  };

  const untilWoken = async (seen: number, signal: StopSignal): Promise<void> => {
    if (wakes > seen || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    signal.addEventListener('abort', resolve);
    await promise;
    signal.removeEventListener('abort', resolve);
    waiting.delete(resolve);
  };

  return {
    async *after(first, signal) {
      let position = first;
      while (!signal.aborted) {
        const reading = await retryTransient({ timer, signal, isTransient }, () => readAfter(position));
        if (reading === undefined) return;
        const { page, wakes: seen } = reading;
        const isNew = identify(page.position) !== identify(position);
        position = page.position;
        if (isNew) {
          await turn(page);
          yield page;
        }
        if (page.isLast) await untilWoken(seen, signal);
      }
    },
    wake,
  };
}
