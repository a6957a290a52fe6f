import { isTransient, timedOut } from '../kernel/domain-error.ts';
import { familyNumber, type FamilyRef, type ReachedVersion } from '../project/family.ts';
import {
  ALL_RECORDS,
  cursorAt,
  familyCursorText,
  hasReached,
  type FamilyCursor,
} from '../record/family-cursor.ts';
import {
  feedOf,
  queuedPermits,
  recentReadings,
  sharedFeeds,
  type FeedPage,
  type Feeds,
  type Reading,
  type Timer,
} from '@plugin-config/flow';
import {
  changesAfter,
  type ChangedRecords,
  type FamilyChanges,
  type StreamedChange,
} from './family-changes.ts';
import type { ResetReason } from '../vocabulary/vocabulary.ts';

/** The pause between polls is `factor` times the duration of the last one, within these limits. */
const POLL = { factor: 10, minMs: 40, maxMs: 1_000 };
const PAGE_CHANGES = 5000;
/** The estimated size of a change with its event. */
const CHANGE_BYTES = 256;
/** A read scans the records of a family, so only a few run at once. Projects take turns. */
const READS_AT_ONCE = 2;
const READ_WITHIN = { remainingMs: 10_000 };

export interface FamilyStep {
  /** Set if the stream cannot resume at the reader's cursor. */
  readonly reset?: ResetReason;
  readonly changes: readonly StreamedChange[];
  /** The cursor after the step. */
  readonly cursor: string;
}

export interface FamilyPage extends FamilyStep, FeedPage<FamilyCursor> {}

export interface FamilyAtVersion extends FamilyRef, ReachedVersion {}

export type FamilyFeeds = Feeds<FamilyAtVersion, FamilyCursor, FamilyPage>;

interface Dependencies {
  readonly changes: FamilyChanges;
  /** Resolves when a stream may handle this page, so only a few do at once. */
  readonly turn: (page: FamilyPage) => Promise<void>;
  readonly timer: Timer;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called with persistent failures, which no stream reports. */
  readonly warn: (error: unknown) => void;
}

/** The family version that all streams of a family have been woken for. */
interface Known {
  at: ReachedVersion;
}

/** Polls the versions of all families that have streams with one statement, and wakes the feeds of changed families. */
export function familyFeeds({ changes, turn, timer, now, warn }: Dependencies): FamilyFeeds {
  const recent = recentReadings(bytesOf);
  const permits = queuedPermits({ max: READS_AT_ONCE, tooLate: timedOut, timer });
  let isPolling = false;

  const poll = async (): Promise<void> => {
    const startedAt = now();
    const polled = [...feeds.open()];
    isPolling = polled.length > 0;
    if (!isPolling) return;
    const found = await changes
      .familyVersions(polled.map(({ family }) => family))
      .catch((error: unknown) => void (isTransient(error) || warn(error)));
    for (const [i, { known, wake }] of polled.entries()) {
      const familyVersion = found?.familyVersions[i];
      if (found === undefined || familyVersion === undefined) continue;
      const at = { registryVersion: found.registryVersion, familyVersion };
      if (isKnown(at, known)) continue;
      known.at = at;
      wake();
    }
    const restMs = found === undefined ? POLL.maxMs : Math.ceil(POLL.factor * (now() - startedAt));
    timer(() => void poll(), Math.min(POLL.maxMs, Math.max(POLL.minMs, restMs)));
  };

  const readChanges = async (family: FamilyRef, cursor: FamilyCursor): Promise<ChangedRecords> => {
    const { projectId } = family;
    if (!permits.take(projectId)) await permits.wait(projectId, READ_WITHIN);
    try {
      return await changes.after(family, cursor, PAGE_CHANGES);
    } finally {
      permits.give(projectId);
    }
  };

  const readPage = async (family: FamilyRef, known: Known, cursor: FamilyCursor): Promise<FamilyPage> => {
    if (isKnown(cursor, known) && cursor.id === ALL_RECORDS) return pageOf([], cursor, true);
    const read = await readChanges(family, cursor);
    if (!hasReached(read, cursor)) return { ...pageOf([], cursorAt(read), true), reset: 'unknown_cursor' };
    if (read.isCursorInvalid) return { ...pageOf([], cursorAt(read), true), reset: 'plugin_changed' };
    const { changes: found, reached } = changesAfter(cursor, read);
    return pageOf(found, reached, read.isComplete);
  };

  const feeds = sharedFeeds({
    identify: (family: FamilyAtVersion) => String(familyNumber(family)),
    open: ({ registryVersion, familyVersion, ...family }, number) => {
      const known = { at: { registryVersion, familyVersion } };
      const feed = feedOf<FamilyCursor, FamilyPage>({
        identify: (cursor) => `${number} ${familyCursorText(cursor)}`,
        read: (cursor) => readPage(family, known, cursor),
        recent,
        isTransient,
        turn,
        timer,
        now,
      });
      return { ...feed, family, known, close: () => undefined };
    },
    onJoin: () => {
      if (!isPolling) void poll();
    },
  });
  return feeds;
}

function isKnown({ registryVersion, familyVersion }: ReachedVersion, { at }: Known): boolean {
  return registryVersion === at.registryVersion && familyVersion === at.familyVersion;
}

function pageOf(changes: readonly StreamedChange[], position: FamilyCursor, isLast: boolean): FamilyPage {
  return { changes, cursor: familyCursorText(position), position, isLast };
}

function bytesOf({ page: { changes } }: Reading<FamilyPage>): number {
  return changes.length * CHANGE_BYTES;
}
