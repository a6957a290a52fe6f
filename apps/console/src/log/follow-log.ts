import type { LogEntry, LogEvent, LogFilter, ResetEvent, StreamOptions } from '@plugin-config/client';
import {
  edgeOf,
  readAround,
  readNewer,
  readNewest,
  readOlder,
  type Found,
  type ReadPage,
} from './log-pages.ts';
import {
  isTooMuch,
  NO_ROWS,
  withArrivals,
  withEntries,
  withoutNewest,
  withoutOldest,
  type LogRows,
} from './log-rows.ts';

/** The bounds of what has arrived and is not shown yet. Beyond them, the listing is read instead. */
export const HELD_MAX = 5000;
const HELD_CHARACTERS_MAX = 4_000_000;

/** A log as it is shown. */
export interface LogView extends LogRows {
  /** The last change of the rows was at their start. */
  readonly isChangedAtStart: boolean;
  readonly isFollowing: boolean;
  /** The number of entries that have arrived and are not shown. */
  readonly held: number;
  readonly connection: 'none' | 'connecting' | 'live' | 'lost';
  readonly isReading: boolean;
  readonly error: Error | null;
}

/** A log that is followed, over pauses and lost connections, each entry once. */
export interface FollowedLog {
  readonly view: () => LogView;
  readonly subscribe: (listener: () => void) => () => void;
  /** What arrives is held back. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly readOlder: () => void;
  readonly readNewer: () => void;
  readonly tryAgain: () => void;
  /** Begins to read and to follow, or goes on. Returns the function that ends it. */
  readonly open: () => () => void;
}

export interface LogSource {
  readonly read: (signal: AbortSignal) => ReadPage;
  readonly stream: (options: StreamOptions) => AsyncIterable<LogEvent | ResetEvent>;
  readonly filter: LogFilter;
  /** Show the entries around this time, and follow nothing. */
  readonly around: string | null;
  /** Calls back once before the next picture of the page. */
  readonly onFrame: (callback: () => void) => void;
  /** The stream could not resume, and the log is read again. */
  readonly onReset: () => void;
}

export function followLog({ read, stream, filter, around, onFrame, onReset }: LogSource): FollowedLog {
  let closing = new AbortController();
  const listeners = new Set<() => void>();
  let view: LogView = {
    ...NO_ROWS,
    hasOlder: true,
    isChangedAtStart: false,
    isFollowing: around === null,
    held: 0,
    connection: around === null ? 'connecting' : 'none',
    isReading: true,
    error: null,
  };
  let held: LogEntry[] = [];
  let heldCharacters = 0;
  let arrived = 0;
  let isFrameAsked = false;
  let reading = new AbortController();
  /** Reads again what was read last, unless that was the listing. */
  let extendAgain: (() => void) | null = null;

  const show = (change: Partial<LogView>): void => {
    if (closing.signal.aborted) return;
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  };

  const askFrame = (): void => {
    if (isFrameAsked) return;
    isFrameAsked = true;
    onFrame(() => {
      isFrameAsked = false;
      showArrivals();
    });
  };

  const arrive = (entry: LogEntry): void => {
    arrived += 1;
    heldCharacters += entry.message.length;
    if (isOverfull()) held = [];
    else held.push(entry);
    askFrame();
  };

  const isOverfull = (): boolean => arrived > HELD_MAX || heldCharacters > HELD_CHARACTERS_MAX;

  const release = (): void => {
    held = [];
    heldCharacters = 0;
    arrived = 0;
  };

  function showArrivals(): void {
    if (closing.signal.aborted || view.isReading) return;
    if (!view.isFollowing || view.error !== null) {
      if (view.held !== arrived) show({ held: arrived });
    } else if (view.hasNewer || isOverfull()) {
      void readFromListing();
    } else if (isTooMuch(view, held)) {
      // Rows are removed at the start, or added at the end, but never both for the same picture.
      show({ ...withoutOldest(view, held), isChangedAtStart: true });
      askFrame();
    } else {
      const rows = withArrivals(view, held);
      release();
      show({ ...rows, isChangedAtStart: false, held: 0 });
    }
  }

  /** One read at a time: a further one ends the one before. */
  async function reads(work: (read: ReadPage) => Promise<Partial<LogView>>): Promise<void> {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    show({ isReading: true, error: null });
    const change = await work(read(AbortSignal.any([signal, closing.signal]))).catch((error: unknown) => ({
      error: error as Error,
    }));
    if (signal.aborted) return;
    show({ ...change, isReading: false });
    askFrame();
  }

  /** What has arrived until now is in the listing, too. */
  async function readFromListing(): Promise<void> {
    release();
    extendAgain = null;
    // If the read fails, entries are missing at the end.
    show({ hasNewer: true, held: 0 });
    await reads(async (page) => {
      const rows = await (around === null ? readNewest(page, filter) : readAround(page, filter, around));
      return { ...rows, isChangedAtStart: false };
    });
  }

  async function extend(isAtStart: boolean, find: (page: ReadPage) => Promise<Found>): Promise<void> {
    extendAgain = () => void extend(isAtStart, find);
    await reads(async (page) => {
      const { entries, isAll } = await find(page);
      if (isTooMuch(view, entries)) {
        const rest = isAtStart ? withoutNewest(view, entries) : withoutOldest(view, entries);
        show({ ...rest, isChangedAtStart: !isAtStart });
        await new Promise<void>(onFrame);
      }
      const end = isAtStart ? { hasOlder: !isAll } : { hasNewer: !isAll };
      return { ...withEntries({ ...view, ...end }, entries), isChangedAtStart: isAtStart };
    });
  }

  /** Whoever reads older entries keeps them until the log is followed again. */
  function startAgain(): void {
    if (view.isFollowing || view.entries.length === 0) void readFromListing();
    else show({ hasNewer: true });
  }

  async function listen(): Promise<void> {
    const { signal } = closing;
    let isOpen = false;
    try {
      const events = stream({
        signal,
        onOpen: () => {
          show({ connection: 'live' });
          if (!isOpen) startAgain();
          isOpen = true;
        },
        onError: () => show({ connection: isOpen ? 'lost' : 'connecting' }),
      });
      for await (const { event, data } of events) {
        if (event === 'log') arrive(data);
        else {
          onReset();
          startAgain();
        }
      }
    } catch (error) {
      if (!signal.aborted) show({ connection: 'none', isReading: false, error: error as Error });
    }
  }

  return {
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pause: () => show({ isFollowing: false }),
    resume: () => {
      show({ isFollowing: true, error: null });
      askFrame();
    },
    readOlder: () => {
      const edge = edgeOf(view.entries);
      if (edge === null || !view.hasOlder || view.isReading) return;
      show({ isFollowing: false });
      void extend(true, async (page) => readOlder(page, filter, edge));
    },
    readNewer: () => {
      const edge = edgeOf(view.entries.toReversed());
      if (edge === null || !view.hasNewer || view.isReading) return;
      void extend(false, async (page) => readNewer(page, filter, edge));
    },
    tryAgain: () => {
      if (around === null && view.connection === 'none') {
        show({ connection: 'connecting', isReading: true, error: null });
        void listen();
      } else if (view.isFollowing || view.entries.length === 0) void readFromListing();
      else if (extendAgain === null) show({ error: null });
      else extendAgain();
    },
    open: () => {
      closing = new AbortController();
      if (around === null) {
        show({ connection: 'connecting', isReading: view.entries.length === 0 });
        void listen();
      } else void readFromListing();
      return () => {
        closing.abort();
        reading.abort();
      };
    },
  };
}
