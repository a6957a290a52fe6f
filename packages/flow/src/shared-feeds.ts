import type { StopSignal } from './stop-signal.ts';
import type { Feed } from './feed.ts';

/** Feeds by source, such as a log, that streams share. */
export interface Feeds<Of, Position, Page> {
  /** Yields the pages of a source after a position, like `Feed.after`. */
  after(of: Of, position: Position, signal: StopSignal): AsyncGenerator<Page, void>;
}

/** A feed that is closed when its last stream leaves. */
export interface OpenFeed<Position, Page> extends Feed<Position, Page> {
  close(): void;
}

interface Options<Of, Position, Page, F> {
  readonly identify: (of: Of) => string;
  /** `number` is unique among all feeds opened so far. */
  readonly open: (of: Of, number: number) => F & OpenFeed<Position, Page>;
  /** Called when a stream joins. */
  readonly onJoin: () => void;
}

/** Keeps one feed per source as long as it has streams. */
export function sharedFeeds<Of, Position, Page, F>({
  identify,
  open,
  onJoin,
}: Options<Of, Position, Page, F>) {
  const feeds = new Map<string, { readonly feed: F & OpenFeed<Position, Page>; streams: number }>();
  let opened = 0;

  async function* after(of: Of, position: Position, signal: StopSignal): AsyncGenerator<Page, void> {
    const name = identify(of);
    const joined = feeds.get(name) ?? { feed: open(of, opened++), streams: 0 };
    feeds.set(name, joined);
    joined.streams++;
    onJoin();
    try {
      yield* joined.feed.after(position, signal);
    } finally {
      if (--joined.streams === 0) {
        joined.feed.close();
        feeds.delete(name);
      }
    }
  }

  return { after, open: () => feeds.values().map(({ feed }) => feed) };
}
