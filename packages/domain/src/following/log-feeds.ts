import type { LogEntry } from '../log/log-entry.ts';
import type { LogEntryStore } from '../log/log-entry-store.ts';
import type { WakeUps } from '../kernel/wake-ups.ts';
import { utf8Length } from '../kernel/text.ts';
import type { Timer } from '../sharing/concurrency-limit.ts';
import { ARRIVALS_MAX, RENEW_MS, type LogArrivals, type LogPosition, type LogRef } from './log-arrivals.ts';
import { logCursorText } from './log-cursor.ts';
import { nameOf } from './log-tail.ts';

/** The limits of what is read at once. */
const PAGE_ENTRIES = 500;
const PAGE_BYTES = 256 * 1024;
/** After a read, its log rests for this multiple of its duration, so that busy logs are read in larger pages. */
const REST = { factor: 4, minMs: 5, maxMs: 1_000 };
/** The memory of the last pages, which other streams of their logs may ask for as well. */
const RECENT_BYTES = 4 * 1024 * 1024;
/** An estimate of an entry without its message. */
const ENTRY_BYTES = 512;

export interface StreamedEntry {
  /** The cursor after the entry. */
  readonly cursor: string;
  readonly entry: LogEntry;
}

/** Entries in the order of their arrival. */
export interface LogPage {
  readonly entries: readonly StreamedEntry[];
  /** The position after the page. */
  readonly position: LogPosition;
  /** Whether nothing more had arrived. */
  readonly isLast: boolean;
  /** The wake-ups before the read. What was announced later may be missing. */
  readonly wakes: number;
}

/** The arrivals of one log, for all its streams in this process. */
export interface LogFeed {
  /**
   * The entries after a position; without any if nothing has arrived since. Null if the position is not kept. Streams
   * at the same position share the read, which may have begun before the call: compare `wakes`.
   */
  read(position: LogPosition): Promise<LogPage | null>;
  /** Resolves when there are more wake-ups than these, or when `stop` is called. */
  woken(seen: number): { readonly promise: Promise<void>; stop(): void };
  leave(): void;
}

interface Dependencies {
  readonly arrivals: LogArrivals;
  readonly log: Pick<LogEntryStore, 'find'>;
  readonly wakeUps: WakeUps;
  readonly timer: Timer;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

interface Shared extends Omit<LogFeed, 'leave'> {
  streams: number;
  close(): void;
}

/** The feeds of the logs that streams of this process follow. */
export interface LogFeeds {
  join(log: LogRef): LogFeed;
}

/** Renews the followed logs, so that they stay followed. */
export function logFeeds(dependencies: Dependencies): LogFeeds {
  const feeds = new Map<number, Shared>();
  const recent = recentPages();
  let isRenewing = false;

  const renewLater = (): void => {
    if (isRenewing || feeds.size === 0) return;
    isRenewing = true;
    dependencies.timer(() => {
      isRenewing = false;
      dependencies.arrivals.follow([...feeds.keys()]).catch(() => undefined);
      renewLater();
    }, RENEW_MS);
  };

  return {
    join(record) {
      const feed = feeds.get(record.id) ?? sharedFeed(dependencies, recent, record);
      feeds.set(record.id, feed);
      feed.streams++;
      renewLater();
      return {
        read: feed.read,
        woken: feed.woken,
        leave() {
          if (--feed.streams > 0) return;
          feed.close();
          feeds.delete(record.id);
        },
      };
    },
  };
}

let feedNumber = 0;

function sharedFeed(
  { arrivals, log, wakeUps, timer, now }: Dependencies,
  recent: RecentPages,
  record: LogRef,
): Shared {
  const waiting = new Set<() => void>();
  const reads = new Map<string, Promise<LogPage | null>>();
  const feed = ++feedNumber;
  let wakes = 0;
  let isResting = false;
  let isDue = false;

  const wake = (): void => {
    isDue = isResting;
    if (isResting) return;
    wakes++;
    for (const goOn of waiting) goOn();
    waiting.clear();
  };
  const stopListening = wakeUps.listen(record.id, wake);

  const rest = (tookMs: number): void => {
    if (isResting || tookMs * REST.factor < REST.minMs) return;
    isResting = true;
    timer(
      () => {
        isResting = false;
        if (isDue) wake();
      },
      Math.min(REST.maxMs, tookMs * REST.factor),
    );
  };

  const readPage = async (position: LogPosition): Promise<LogPage | null> => {
    const before = wakes;
    const arrived = await arrivals.after(record, position);
    if (arrived === null) return null;
    if (arrived.length === 0) return { entries: [], position, isLast: true, wakes: before };
    const wanted = arrived.slice(0, PAGE_ENTRIES);
    const found = await log.find(record, wanted, PAGE_BYTES);
    const numbers = new Map(wanted.map((arrival) => [nameOf(arrival), arrival.number]));
    const entries = found.map((entry) => {
      const number = numbers.get(nameOf(entry)) ?? 0;
      return { cursor: logCursorText({ ...position, number }), entry };
    });
    const lastFound = found.at(-1);
    const last = lastFound === undefined ? wanted.at(-1)?.number : numbers.get(nameOf(lastFound));
    const isLast = arrived.length < ARRIVALS_MAX && last === arrived.at(-1)?.number;
    return { entries, position: { ...position, number: last ?? position.number }, isLast, wakes: before };
  };

  const begin = async (key: string, position: LogPosition): Promise<LogPage | null> => {
    const startedAt = now();
    try {
      const page = await readPage(position);
      if (page !== null && page.entries.length > 0) recent.add(key, page);
      return page;
    } finally {
      reads.delete(key);
      rest(now() - startedAt);
    }
  };

  const read = async (position: LogPosition): Promise<LogPage | null> => {
    const key = `${feed} ${logCursorText(position)}`;
    const known = recent.get(key) ?? reads.get(key);
    if (known !== undefined) return known;
    const reading = begin(key, position);
    reads.set(key, reading);
    return reading;
  };

  return {
    streams: 0,
    read,
    woken(seen) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (wakes > seen) resolve();
      else waiting.add(resolve);
      const stop = (): void => {
        waiting.delete(resolve);
        resolve();
      };
      return { promise, stop };
    },
    close: stopListening,
  };
}

interface RecentPages {
  get(key: string): LogPage | undefined;
  add(key: string, page: LogPage): void;
}

/** Keeps the last pages, up to a number of bytes. A page never changes. */
function recentPages(): RecentPages {
  const pages = new Map<string, { readonly page: LogPage; readonly bytes: number }>();
  let total = 0;
  return {
    get: (key) => pages.get(key)?.page,
    add(key, page) {
      if (pages.has(key)) return;
      const bytes = page.entries.reduce((sum, { entry }) => sum + utf8Length(entry.message) + ENTRY_BYTES, 0);
      pages.set(key, { page, bytes });
      total += bytes;
      for (const [oldest, { bytes: freed }] of pages) {
        if (total <= RECENT_BYTES) break;
        pages.delete(oldest);
        total -= freed;
      }
    },
  };
}
