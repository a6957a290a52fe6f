import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  ALL_RECORDS,
  concurrencyLimit,
  familyCursorText,
  familyNumber,
  isAfter,
  isTransient,
  stepsAfter,
  type FamilyCursor,
  type FamilyFeed,
  type FamilyRef,
} from '@plugin-config/domain';
import { nodeTimer } from '@plugin-config/persistence';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import { familyPart, type FamilyPart } from './family-part.ts';
import { resetEvent } from './stream-event.ts';

/** What follows a cursor. */
export interface FamilyNews {
  readonly part: FamilyPart;
  readonly cursor: FamilyCursor;
}

/** A family that streams of this process follow. */
interface Followed {
  readonly family: FamilyRef;
  followers: number;
  /** The latest revision that is known. */
  revision: number;
  /** The followers that wait for news, by their cursors. Those at one cursor share a read. */
  readonly groups: Map<string, Group>;
  isReading: boolean;
}

interface Group {
  readonly cursor: FamilyCursor;
  readonly waiting: Set<(news: FamilyNews | null) => void>;
}

/** The families that the streams of this process follow. */
export interface FollowedFamilies {
  /** Begins to follow. The revision is one that the family has reached. */
  follow(family: FamilyRef, revision: number): Follower;
}

export interface Follower {
  /** Resolves when there is news after the cursor, or to null when the signal is aborted. */
  after(cursor: FamilyCursor, signal: AbortSignal): Promise<FamilyNews | null>;
  leave(): void;
}

interface Dependencies {
  readonly feed: FamilyFeed;
  readonly logger: Logger;
}

/** The shortest pause between two questions for the revisions of all families. A slow answer makes it longer. */
const POLL_MS = 40;
const POLL_REST_FACTOR = 10;
const PAUSE_MAX_MS = 1000;
const CHANGES_MAX = 5000;
/** After a read, its family rests for this multiple of the time that the read took. */
const READ_REST_FACTOR = 4;
/** The followers that get news in one turn of the event loop. */
const TURN = 100;
/** A read scans the records of a family. Each project has at most one at a time. */
const READS = { max: 2, maxPerTenant: 1, patienceMs: 10_000, timer: nodeTimer };

/**
 * Asks for the revisions of all followed families with one statement, again and again while there are any, and reads
 * what has changed once for all followers at one cursor. An outage of the database only makes news late.
 */
export function followedFamilies({ feed, logger }: Dependencies): FollowedFamilies {
  const families = new Map<number, Followed>();
  const limitReads = concurrencyLimit(READS);
  let isPolling = false;

  const warn = (error: unknown): void => {
    if (!isTransient(error)) logFailure(logger, { error, message: 'could not read changes', about: {} });
  };

  const poll = async (): Promise<void> => {
    isPolling = true;
    while (families.size > 0) {
      const startedAt = performance.now();
      const asked = [...families.values()];
      const revisions = await feed.revisions(asked.map(({ family }) => family)).catch(warn);
      for (const [i, followed] of asked.entries()) notice(followed, revisions?.[i] ?? followed.revision);
      const restMs = POLL_REST_FACTOR * (performance.now() - startedAt);
      await sleep(revisions === undefined ? PAUSE_MAX_MS : Math.min(PAUSE_MAX_MS, Math.max(POLL_MS, restMs)));
    }
    isPolling = false;
  };

  const notice = (followed: Followed, revision: number): void => {
    if (revision === followed.revision) return;
    followed.revision = revision;
    void readAll(followed);
  };

  /** Reads for one group after the other, until none has news. */
  const readAll = async (followed: Followed): Promise<void> => {
    if (followed.isReading) return;
    followed.isReading = true;
    let group: Group | undefined;
    while ((group = groupWithNews(followed)) !== undefined) {
      const startedAt = performance.now();
      const news = await newsFor(followed, group).catch(warn);
      if (news === undefined) await sleep(PAUSE_MAX_MS);
      else {
        followed.groups.delete(familyCursorText(group.cursor));
        const tookMs = performance.now() - startedAt;
        await tell(group, news);
        await sleep(Math.min(PAUSE_MAX_MS, READ_REST_FACTOR * tookMs));
      }
    }
    followed.isReading = false;
  };

  const newsFor = async (followed: Followed, { cursor }: Group): Promise<FamilyNews> => {
    const { family, revision } = followed;
    const changes = await limitReads(family.projectId, () => feed.changes(family, cursor, CHANGES_MAX));
    if (followed.revision === revision) followed.revision = changes.revision;
    const reached = { revision: changes.revision, id: ALL_RECORDS };
    if (isAfter(cursor, reached)) {
      return { part: [resetEvent(familyCursorText(reached), 'unknown_cursor')], cursor: reached };
    }
    const after = stepsAfter(cursor, changes);
    return { part: familyPart(after.steps), cursor: after.cursor };
  };

  return {
    follow(family, revision) {
      const number = familyNumber(family);
      const followed = families.get(number) ?? newlyFollowed(family, revision);
      families.set(number, followed);
      followed.followers++;
      notice(followed, Math.max(revision, followed.revision));
      if (!isPolling) void poll();
      return {
        after: (cursor, signal) => {
          const news = waitForNews(followed, cursor, signal);
          void readAll(followed);
          return news;
        },
        leave: () => {
          if (--followed.followers === 0) families.delete(number);
        },
      };
    },
  };
}

function newlyFollowed(family: FamilyRef, revision: number): Followed {
  return { family, followers: 0, revision, groups: new Map(), isReading: false };
}

/** The cursor of a group may also be after the family's revision, if an older database was restored. */
function groupWithNews({ groups, revision }: Followed): Group | undefined {
  return groups.values().find(({ cursor }) => cursor.revision !== revision || cursor.id < ALL_RECORDS);
}

function waitForNews(
  { groups }: Followed,
  cursor: FamilyCursor,
  signal: AbortSignal,
): Promise<FamilyNews | null> {
  const { promise, resolve } = Promise.withResolvers<FamilyNews | null>();
  const key = familyCursorText(cursor);
  const group = groups.get(key) ?? { cursor, waiting: new Set() };
  groups.set(key, group);
  const leave = (): void => done(null);
  const done = (news: FamilyNews | null): void => {
    signal.removeEventListener('abort', leave);
    group.waiting.delete(done);
    if (group.waiting.size === 0 && groups.get(key) === group) groups.delete(key);
    resolve(news);
  };
  group.waiting.add(done);
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  return promise;
}

async function tell({ waiting }: Group, news: FamilyNews): Promise<void> {
  let told = 0;
  for (const done of waiting) {
    done(news);
    if (++told % TURN === 0) await nextTurn();
  }
}
