import type { StopSignal } from './stop-signal.ts';
import type { Feed } from './feed.ts';

/** The places, such as logs, of which streams are open in this process. */
export interface Feeds<Of, Position, Page> {
  /** The pages after a position, as those of a `Feed`. */
  after(of: Of, position: Position, signal: StopSignal): AsyncGenerator<Page, void>;
}

/** A feed that may be closed when its last stream has left. */
export interface OpenFeed<Position, Page> extends Feed<Position, Page> {
  close(): void;
}

interface Options<Of, Position, Page, F> {
  readonly identify: (of: Of) => string;
  /** `number` tells this feed from all before it. */
  readonly open: (of: Of, number: number) => F & OpenFeed<Position, Page>;
  /** Called when a stream joins. */
  readonly onJoin: () => void;
}

/** Keeps one feed for each place as long as it has streams. */
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
