import type { LogEntry, LogEvent, LogFilter, ResetEvent, StreamOptions } from '@plugin-config/client';
import {
  edgeOf,
  readAround,
  readNewer,
  readNewest,
  readOlder,
  type FoundEntries,
  type ReadPage,
} from './log-pages.ts';
import {
  exceedsLimits,
  NO_ROWS,
  sizeOf,
  withNewEntries,
  withEntries,
  withoutNewest,
  withoutOldest,
  type LogRows,
} from './log-rows.ts';

/** The limit of entries that were received but not shown. Beyond it, the log is reloaded instead. */
export const HELD_MAX = 5000;

export interface LogView extends LogRows {
  /** Whether the last change to the rows was at their start. */
  readonly isChangedAtStart: boolean;
  readonly isFollowing: boolean;
  /** The number of entries that were received but are not shown. */
  readonly held: number;
  readonly connection: 'none' | 'connecting' | 'live' | 'lost';
  readonly isReading: boolean;
  readonly error: Error | null;
}

export type FollowedLog = ReturnType<typeof followLog>;

export interface LogSource {
  readonly read: (signal: AbortSignal) => ReadPage;
  readonly stream: (options: StreamOptions) => AsyncIterable<LogEvent | ResetEvent>;
  readonly filter: LogFilter;
  /** Shows the entries around this time instead of following. */
  readonly around: string | null;
  /** Calls back once before the next frame. */
  readonly onFrame: (callback: () => void) => void;
  /** Called when the stream could not resume and the log is reloaded. */
  readonly onReset: () => void;
}

/** A live log that shows each entry once, across pauses and lost connections. */
export function followLog({ read, stream, filter, around, onFrame, onReset }: LogSource) {
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
  let heldSize = 0;
  let receivedCount = 0;
  let isFrameRequested = false;
  let reading = new AbortController();
  /** Repeats the last read of older or newer entries; null after a reload. */
  let retryExtend: (() => void) | null = null;

  const show = (change: Partial<LogView>): void => {
    if (closing.signal.aborted) return;
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  };

  const requestFrame = (): void => {
    if (isFrameRequested) return;
    isFrameRequested = true;
    onFrame(() => {
      isFrameRequested = false;
      showReceived();
    });
  };

  const receive = (entry: LogEntry): void => {
    receivedCount += 1;
    heldSize += sizeOf([entry]);
    if (heldSize > HELD_MAX) held = [];
    else held.push(entry);
    requestFrame();
  };

  const release = (): void => {
    held = [];
    heldSize = 0;
    receivedCount = 0;
  };

  function showReceived(): void {
    if (closing.signal.aborted || view.isReading) return;
    if (!view.isFollowing || view.error !== null) {
      if (view.held !== receivedCount) show({ held: receivedCount });
    } else if (view.hasNewer || heldSize > HELD_MAX) {
      void reload();
    } else if (exceedsLimits(view, held)) {
      // The list cannot render a removal at the start and an addition at the end in one frame.
      show({ ...withoutOldest(view, held), isChangedAtStart: true });
      requestFrame();
    } else {
      const rows = withNewEntries(view, held);
      release();
      show({ ...rows, isChangedAtStart: false, held: 0 });
    }
  }

  /** Runs one read at a time: a new one cancels the previous one. */
  async function runRead(work: (read: ReadPage) => Promise<Partial<LogView>>): Promise<void> {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    show({ isReading: true, error: null });
    const change = await work(read(AbortSignal.any([signal, closing.signal]))).catch((error: unknown) => ({
      error: error as Error,
    }));
    if (signal.aborted) return;
    show({ ...change, isReading: false });
    requestFrame();
  }

  /** Reads the rows from the listing, which includes everything received so far. */
  async function reload(): Promise<void> {
    release();
    retryExtend = null;
    // If the read fails, entries at the end are missing.
    show({ hasNewer: true, held: 0 });
    await runRead(async (page) => {
      const rows = await (around === null ? readNewest(page, filter) : readAround(page, filter, around));
      return { ...rows, isChangedAtStart: false };
    });
  }

  async function extend(isAtStart: boolean, find: (page: ReadPage) => Promise<FoundEntries>): Promise<void> {
    retryExtend = () => void extend(isAtStart, find);
    await runRead(async (page) => {
      const { entries, isAll } = await find(page);
      if (exceedsLimits(view, entries)) {
        const rest = isAtStart ? withoutNewest(view, entries) : withoutOldest(view, entries);
        show({ ...rest, isChangedAtStart: !isAtStart });
        await new Promise<void>(onFrame);
      }
      const end = isAtStart ? { hasOlder: !isAll } : { hasNewer: !isAll };
      return { ...withEntries({ ...view, ...end }, entries), isChangedAtStart: isAtStart };
    });
  }

  /** Keeps the older entries that a user is reading until the log is followed again. */
  function onStreamOpen(): void {
    if (view.isFollowing || view.entries.length === 0) void reload();
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
          if (!isOpen) onStreamOpen();
          isOpen = true;
        },
        onError: () => show({ connection: isOpen ? 'lost' : 'connecting' }),
      });
      for await (const { event, data } of events) {
        if (event === 'log') receive(data);
        else {
          onReset();
          onStreamOpen();
        }
      }
    } catch (error) {
      if (!signal.aborted) show({ connection: 'none', isReading: false, error: error as Error });
    }
  }

  return {
    view: () => view,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Holds new entries back. */
    pause: () => show({ isFollowing: false }),
    resume: () => {
      show({ isFollowing: true, error: null });
      requestFrame();
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
      } else if (view.isFollowing || view.entries.length === 0) void reload();
      else if (retryExtend === null) show({ error: null });
      else retryExtend();
    },
    /** Starts or continues following. Returns a function that stops it. */
    open: () => {
      closing = new AbortController();
      if (around === null) {
        show({ connection: 'connecting', isReading: view.entries.length === 0 });
        void listen();
      } else void reload();
      return () => {
        closing.abort();
        reading.abort();
      };
    },
  };
}
