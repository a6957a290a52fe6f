import { DomainError, isTransient } from '../kernel/domain-error.ts';
import type { WakeUps } from '../kernel/wake-ups.ts';
import { utf8Length } from '../kernel/text.ts';
import { entryName, type LogEntry, type LogRef } from '../log/log-entry.ts';
import type { LogEntryStore } from '../log/log-entry-store.ts';
import {
  feedOf,
  recentReadings,
  sharedFeeds,
  type FeedPage,
  type Feeds,
  type Reading,
  type Timer,
} from '@plugin-config/flow';
import { SEQUENCE_READ_MAX, RENEW_MS, type LogSequence, type LogPosition } from './log-sequence.ts';
import { logCursorText } from './log-cursor.ts';
import type { ResetReason } from '../vocabulary/vocabulary.ts';

const PAGE_ENTRIES = 500;
const PAGE_BYTES = 256 * 1024;
/** The estimated size of an entry without its message. */
const ENTRY_BYTES = 512;

export interface StreamedEntry {
  /** The cursor after the entry. */
  readonly cursor: string;
  readonly entry: LogEntry;
}

export interface LogStep {
  /** Set if the stream cannot resume at the reader's cursor. */
  readonly reset?: ResetReason;
  /** In sequence order. */
  readonly entries: readonly StreamedEntry[];
  /** The cursor after the step. */
  readonly cursor: string;
}

export interface LogPage extends LogStep, FeedPage<LogPosition> {}

export type LogFeeds = Feeds<LogRef, LogPosition, LogPage>;

interface RenewedFeed {
  readonly log: LogRef;
  /** Whether the last page ended at this position. */
  readonly hasRead: (position: LogPosition | null) => boolean;
  readonly wake: () => void;
}

interface Dependencies {
  readonly sequence: LogSequence;
  readonly log: Pick<LogEntryStore, 'find'>;
  readonly wakeUps: WakeUps;
  /** Resolves when a stream may handle its next page, so only a few do at once. */
  readonly turn: () => Promise<void>;
  readonly timer: Timer;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called with persistent failures, which no stream reports. */
  readonly warn: (error: unknown) => void;
}

/** Reads the sequence of a log on each wake-up, and periodically renews logs to keep them followed. */
export function logFeeds(dependencies: Dependencies): LogFeeds {
  const { sequence, wakeUps, turn, timer, now, warn } = dependencies;
  const recent = recentReadings(bytesOf);
  let isRenewing = false;

  const renewLater = (): void => {
    if (isRenewing) return;
    isRenewing = true;
    timer(() => {
      isRenewing = false;
      const open = [...feeds.open()];
      if (open.length === 0) return;
      renew(open).catch((error: unknown) => isTransient(error) || warn(error));
      renewLater();
    }, RENEW_MS);
  };

  /** Wakes the streams of logs that are no longer followed, or whose wake-up was lost. */
  const renew = async (open: readonly RenewedFeed[]): Promise<void> => {
    const positions = await sequence.follow(open.map(({ log }) => log));
    for (const [at, feed] of open.entries()) if (!feed.hasRead(positions[at] ?? null)) feed.wake();
  };

  const feeds = sharedFeeds({
    identify: ({ projectId, id }: LogRef) => `${projectId} ${id}`,
    open: (log, number) => {
      let cursor = '';
      const feed = feedOf<LogPosition, LogPage>({
        identify: (position) => `${number} ${logCursorText(position)}`,
        read: async (position) => {
          const page = await readPage(dependencies, log, position);
          ({ cursor } = page);
          return page;
        },
        recent,
        isTransient,
        turn,
        timer,
        now,
      });
      const hasRead = (position: LogPosition | null): boolean =>
        position !== null && logCursorText(position) === cursor;
      return { ...feed, log, hasRead, close: wakeUps.listen(log.id, feed.wake) };
    },
    onJoin: renewLater,
  });
  return feeds;
}

async function readPage(
  { sequence, log }: Pick<Dependencies, 'sequence' | 'log'>,
  record: LogRef,
  position: LogPosition,
): Promise<LogPage> {
  const sequenced = await sequence.after(record, position);
  if (sequenced === null) {
    const now = await logPositionOf(sequence, record);
    return { reset: 'unknown_cursor', entries: [], cursor: logCursorText(now), position: now, isLast: false };
  }
  const wanted = sequenced.slice(0, PAGE_ENTRIES);
  const found = wanted.length === 0 ? [] : await log.find(record, wanted, PAGE_BYTES);
  const numbers = new Map(wanted.map((entry) => [entryName(entry), entry.number]));
  const entries = found.map((entry) => {
    const number = numbers.get(entryName(entry)) ?? 0;
    return { cursor: logCursorText({ ...position, number }), entry };
  });
  const lastFound = found.at(-1);
  const last = lastFound === undefined ? wanted.at(-1)?.number : numbers.get(entryName(lastFound));
  const reached = { ...position, number: last ?? position.number };
  const isLast = sequenced.length < SEQUENCE_READ_MAX && last === sequenced.at(-1)?.number;
  return { entries, cursor: logCursorText(reached), position: reached, isLast };
}

/** Follows the log. Resolves to the position after which no entry is missed. */
export async function logPositionOf(
  sequence: Pick<LogSequence, 'follow'>,
  log: LogRef,
): Promise<LogPosition> {
  const [position] = await sequence.follow([log]);
  if (position == null) throw new DomainError('not_found', 'The log no longer exists.');
  return position;
}

function bytesOf({ page: { entries } }: Reading<LogPage>): number {
  return entries.reduce((sum, { entry }) => sum + utf8Length(entry.message) + ENTRY_BYTES, 0);
}
