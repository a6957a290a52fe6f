import type { LogEntry } from '@plugin-config/client';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Link } from 'wouter';
import { CopyButton } from '../ui/copy-button.tsx';
import { exactTime } from '../ui/relative-time.ts';
import type { FollowedLog, LogView } from './follow-log.ts';

/** Nearer to an end than this, in pixels, the reader is at this end. */
const AT_END = 40;
const NEAR_END = 800;
/** The page scrolls because of the reader for so long after a key, a wheel or a finger. */
const READER_MS = 1000;
const SHOWN_CHARACTERS = 600;
const EVENTS = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const;
const UP_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

interface Properties {
  readonly log: FollowedLog;
  readonly view: LogView;
  readonly linkedId: string | null;
  readonly linkOf: (entry: Pick<LogEntry, 'id' | 'timestamp'>) => string;
}

/**
 * The rows of a log, the newest at the bottom: so a log reads like a text, and what arrives while somebody reads further up
 * moves nothing. Scrolling up pauses the log; at the bottom again, it goes on.
 */
export function LogList({ log, view, linkedId, linkOf }: Properties) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const isByReader = useScrollsByReader(scroller);
  const isPausedByScrolling = useRef(false);
  const { entries, isFollowing, isChangedAtStart } = view;

  const toEnd = (): void => {
    if (isFollowing) scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'instant' });
  };
  useLayoutEffect(toEnd, [entries, isFollowing]);

  const linkedIndex = linkedId === null ? -1 : entries.findIndex(({ id }) => id === linkedId);
  const isLinkShown = useRef(false);
  useEffect(() => {
    if (linkedIndex < 0 || isLinkShown.current) return;
    isLinkShown.current = true;
    list.current?.scrollToIndex(linkedIndex, { align: 'center' });
  }, [linkedIndex]);

  /** Pauses the log, reads further or goes on, by where the list stands. */
  const onPlace = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const below = element.scrollHeight - element.clientHeight - element.scrollTop;
    // After a pause, no further scroll may come: one step of a key or a wheel can reach the start of the list.
    if (isFollowing) {
      if (below <= AT_END || !isByReader()) return;
      isPausedByScrolling.current = true;
      log.pause();
    }
    if (below <= AT_END && isPausedByScrolling.current) {
      if (view.hasNewer) log.readNewer();
      else log.resume();
    } else if (element.scrollTop < NEAR_END) log.readOlder();
    else if (below < NEAR_END && view.hasNewer && view.connection === 'none') log.readNewer();
  };
  useEffect(() => {
    if (isFollowing) isPausedByScrolling.current = false;
  }, [isFollowing]);

  return (
    <>
      <div className="log-edge">
        {view.hasOlder ? (
          <button type="button" className="small" onClick={log.readOlder} disabled={view.isReading}>
            Older entries
          </button>
        ) : (
          <span className="hint">The log begins here.</span>
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys, wheels and fingers scroll it */}
      <div
        ref={scroller}
        className="log-list"
        role="region"
        aria-label="Entries, the newest at the bottom"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
        tabIndex={0}
        // At the start of the list, no scroll follows them.
        onKeyDown={onPlace}
        onWheel={onPlace}
        onTouchMove={onPlace}
      >
        <Virtualizer
          ref={list}
          as="ol"
          item="li"
          scrollRef={scroller}
          shift={isChangedAtStart}
          data={entries}
          itemSize={30}
          onScroll={onPlace}
          onResize={toEnd}
        >
          {(entry) => (
            <LogRow
              key={entry.id}
              entry={entry}
              isLinked={entry.id === linkedId}
              link={linkOf({ id: entry.id, timestamp: entry.timestamp })}
            />
          )}
        </Virtualizer>
      </div>
      {view.hasNewer && !isFollowing && (
        <div className="log-edge">
          <button type="button" className="small" onClick={log.readNewer} disabled={view.isReading}>
            Newer entries
          </button>
        </div>
      )}
    </>
  );
}

/** Whether the reader scrolls: a wheel, a finger, a pointer or a key was used just now. */
function useScrollsByReader(scroller: RefObject<HTMLElement | null>): () => boolean {
  const until = useRef(0);
  useEffect(() => {
    const element = scroller.current;
    const note = (event: Event): void => {
      if (event instanceof PointerEvent && event.buttons === 0) return;
      if (event instanceof KeyboardEvent && !UP_KEYS.has(event.key)) return;
      until.current = performance.now() + READER_MS;
    };
    for (const name of EVENTS) element?.addEventListener(name, note, { passive: true });
    return () => {
      for (const name of EVENTS) element?.removeEventListener(name, note);
    };
  }, [scroller]);
  return useCallback(() => performance.now() <= until.current, []);
}

interface RowProperties {
  readonly entry: LogEntry;
  readonly isLinked: boolean;
  readonly link: string;
}

const LogRow = memo(({ entry, isLinked, link }: RowProperties) => {
  const [isWhole, setWhole] = useState(false);
  const { timestamp, type, source, message } = entry;
  const isCut = !isWhole && message.length > SHOWN_CHARACTERS;
  return (
    <div className="log-row" data-type={type} data-id={entry.id} aria-current={isLinked || undefined}>
      <Link href={link} title={`${exactTime(timestamp)}: link to this entry`}>
        <time dateTime={timestamp}>{clockOf(timestamp)}</time>
      </Link>
      <span className="log-type">{type}</span>
      <span className="log-source">{source}</span>
      <span className="log-message">
        {isLinked && <strong>Linked entry </strong>}
        {isCut ? message.slice(0, SHOWN_CHARACTERS) : message}
        {isCut && (
          <button type="button" className="small" onClick={() => setWhole(true)}>
            Show all {message.length.toLocaleString('en')} characters
          </button>
        )}
      </span>
      <CopyButton text={JSON.stringify(entry)} what={`the entry of ${clockOf(timestamp)}`} />
    </div>
  );
});
LogRow.displayName = 'LogRow';

const CLOCK = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** The time in the reader's zone, to the millisecond. */
function clockOf(timestamp: string): string {
  return CLOCK.format(new Date(timestamp));
}
