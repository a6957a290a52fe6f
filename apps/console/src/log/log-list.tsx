import type { LogEntry } from '@plugin-config/client';
import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Link } from 'wouter';
import { usePreference } from '../shell/preferences.ts';
import { exactTime, formatCount } from '../ui/format.ts';
import { CopyButton } from '../ui/texts.tsx';
import type { FollowedLog, LogView } from './follow-log.ts';
import { LogLevel } from './log-level.tsx';

/** Within this many pixels of its end, the list counts as scrolled to the end. */
const AT_END = 40;
const NEAR_END = 800;
/** How long after an input event scrolling is attributed to the user. */
const USER_SCROLL_MS = 1000;
const SHOWN_CHARACTERS = 600;
const EVENTS = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const;
const UP_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

interface Properties {
  readonly log: FollowedLog;
  readonly view: LogView;
  readonly linkedId: string | null;
  /** The time to show first if no entry is linked; empty for the end of the log. */
  readonly around: string;
  readonly linkOf: (entry: Pick<LogEntry, 'id' | 'timestamp'>) => string;
}

/**
 * The rows of a log, newest at the bottom, so they read from top to bottom and new entries don't move the others.
 * Scrolling up pauses the log; scrolling back to the bottom resumes it.
 */
export function LogList({ log, view, linkedId, around, linkOf }: Properties) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const scrolledAt = useRef(-Infinity);
  const isPausedByScrolling = useRef(false);
  const { entries, isFollowing, isChangedAtStart } = view;
  const [zone] = usePreference('zone');

  const scrollToEnd = (): void => {
    if (isFollowing) scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'instant' });
  };
  useLayoutEffect(scrollToEnd, [entries, isFollowing]);

  const startIndex = startIndexIn(entries, linkedId, around);
  const isStartShown = useRef(false);
  useEffect(() => {
    if (startIndex < 0 || isStartShown.current) return;
    isStartShown.current = true;
    list.current?.scrollToIndex(startIndex, { align: 'center' });
  }, [startIndex]);

  /** Pauses, resumes or extends the log, depending on the scroll position. */
  const onScrollPosition = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const below = element.scrollHeight - element.clientHeight - element.scrollTop;
    // No early return: a single key or wheel step can reach the start of the list, with no scroll event after it.
    if (isFollowing) {
      if (below <= AT_END || performance.now() - scrolledAt.current > USER_SCROLL_MS) return;
      isPausedByScrolling.current = true;
      log.pause();
    }
    if (below <= AT_END && isPausedByScrolling.current) {
      if (view.hasNewer) log.readNewer();
      else log.resume();
    } else if (element.scrollTop < NEAR_END) log.readOlder();
    else if (below < NEAR_END && view.hasNewer && view.connection === 'none') log.readNewer();
  };
  useScrollInput(scroller, (event) => {
    scrolledAt.current = performance.now();
    // At the start of the list, a wheel, a finger or a key causes no scroll event.
    if (!(event instanceof PointerEvent)) onScrollPosition();
  });
  useEffect(() => {
    if (isFollowing) isPausedByScrolling.current = false;
  }, [isFollowing]);

  return (
    <>
      <div className="actions">
        {view.hasOlder ? (
          <button type="button" className="small" onClick={log.readOlder} disabled={view.isReading}>
            Load older entries
          </button>
        ) : (
          <span className="hint">Beginning of the log</span>
        )}
      </div>
      <div
        ref={scroller}
        className="log-list"
        role="region"
        aria-label="Log entries, newest at the bottom"
        // Keys scroll it.
        tabIndex={0}
      >
        <Virtualizer
          ref={list}
          as="ol"
          item="li"
          scrollRef={scroller}
          shift={isChangedAtStart}
          data={entries}
          itemSize={30}
          onScroll={onScrollPosition}
          onResize={scrollToEnd}
        >
          {(entry) => (
            <LogRow
              key={entry.id}
              entry={entry}
              isLinked={entry.id === linkedId}
              link={linkOf({ id: entry.id, timestamp: entry.timestamp })}
              clock={CLOCKS[zone].format(new Date(entry.timestamp))}
            />
          )}
        </Virtualizer>
      </div>
      {view.hasNewer && !isFollowing && (
        <div className="actions">
          <button type="button" className="small" onClick={log.readNewer} disabled={view.isReading}>
            Load newer entries
          </button>
        </div>
      )}
    </>
  );
}

/** Returns the index of the linked entry, or of the first one at or after a time; -1 for neither. */
function startIndexIn(entries: readonly LogEntry[], linkedId: string | null, around: string): number {
  if (linkedId !== null) return entries.findIndex(({ id }) => id === linkedId);
  if (around === '') return -1;
  const index = entries.findIndex(({ timestamp }) => Date.parse(timestamp) >= Date.parse(around));
  return index === -1 ? entries.length - 1 : index;
}

/** Calls back when the user has used a wheel, a finger, a pointer or a key that can scroll up. */
function useScrollInput(scroller: RefObject<HTMLElement | null>, onInput: (event: Event) => void): void {
  const report = useEffectEvent(onInput);
  useEffect(() => {
    const element = scroller.current;
    const listener = (event: Event): void => {
      if (event instanceof PointerEvent && event.buttons === 0) return;
      if (event instanceof KeyboardEvent && !UP_KEYS.has(event.key)) return;
      report(event);
    };
    for (const name of EVENTS) element?.addEventListener(name, listener, { passive: true });
    return () => {
      for (const name of EVENTS) element?.removeEventListener(name, listener);
    };
  }, [scroller]);
}

interface RowProperties {
  readonly entry: LogEntry;
  readonly isLinked: boolean;
  readonly link: string;
  readonly clock: string;
}

const LogRow = memo(function LogRow({ entry, isLinked, link, clock }: RowProperties) {
  const [isExpanded, setExpanded] = useState(false);
  const { timestamp, type, source, message } = entry;
  const isCut = !isExpanded && message.length > SHOWN_CHARACTERS;
  return (
    <div className="log-row" data-type={type} data-id={entry.id} aria-current={isLinked || undefined}>
      <Link href={link} title={`${exactTime(timestamp)} · Link to this entry`}>
        <time dateTime={timestamp}>{clock}</time>
      </Link>
      <LogLevel type={type} />
      <span className="log-source hint">{source}</span>
      <span className="log-message">
        {isLinked && <strong>Linked entry </strong>}
        {isCut ? message.slice(0, SHOWN_CHARACTERS) : message}
        {isCut && (
          <button type="button" className="small" onClick={() => setExpanded(true)}>
            Show all {formatCount(message.length)} characters
          </button>
        )}
      </span>
      <CopyButton text={JSON.stringify(entry)} what={`entry from ${clock} as JSON`} />
    </div>
  );
});

const CLOCK = {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
} as const;

/** Format times to the millisecond. */
const CLOCKS = {
  local: new Intl.DateTimeFormat('en', CLOCK),
  utc: new Intl.DateTimeFormat('en', { ...CLOCK, timeZone: 'UTC' }),
} as const;
