import { grantsProject } from '../access/api-key.ts';
import { isTransient } from '../kernel/domain-error.ts';
import type { StopSignal, Timer } from '@plugin-config/flow';
import type { Family } from '../vocabulary/vocabulary.ts';
import { isVoid, type FeedPosition } from './feed-cursor.ts';
import {
  EVERY_PROJECT,
  FEED_PAGE_PROJECTS,
  type ChangedProject,
  type ChangedProjects,
  type FeedFilter,
  type ProjectFeed,
} from './project-feed.ts';
import { isNotBefore, shows } from './snapshot.ts';

/** The pause between polls is `factor` times the duration of the last one, within these limits. */
const POLL = { factor: 10, minMs: 200, maxMs: 1_000 };
/** The number of recent changes kept for returning readers. */
const KEPT_MAX = 10_000;

export interface FeedReader {
  readonly since: FeedPosition;
  readonly filter: FeedFilter;
  /** Whether to wait for a change. */
  readonly waits: boolean;
  /** Ends the wait. */
  readonly signal: StopSignal;
}

/** Finds the changes to the projects of a family for all readers in this process. */
export interface FeedChanges {
  /**
   * Resolves to what has changed since the position of the reader, read after the call. Resolves to null if the position is older
   * than the changes that are kept.
   */
  after(reader: FeedReader): Promise<ChangedProjects | null>;
}

interface Dependencies {
  readonly feed: Pick<ProjectFeed, 'since' | 'all'>;
  readonly family: Family;
  readonly timer: Timer;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called with persistent failures. */
  readonly warn: (error: unknown) => void;
}

/** A change, and the position after the poll that found it. */
interface KeptChange {
  readonly project: ChangedProject;
  readonly at: FeedPosition;
}

interface Waiter extends FeedReader {
  readonly resolve: (found: ChangedProjects | null) => void;
  readonly reject: (error: unknown) => void;
  /** Whether a poll that began after the call has found nothing for the reader. */
  isServed: boolean;
}

/** Polls with one statement for all readers, as long as there are any. */
export function feedChanges({ feed, family, timer, now, warn }: Dependencies): FeedChanges {
  /** The positions before the first change that is kept, and after the last poll; null before the first poll. */
  let start: FeedPosition | null = null;
  let reached: FeedPosition | null = null;
  let kept: readonly KeptChange[] = [];
  const waiting = new Set<Waiter>();
  /** The readers that still await their first poll. */
  let arrived = new Set<Waiter>();
  let isPolling = false;
  let restsUntil = 0;

  const query = { family, filter: EVERY_PROJECT, after: 0, limit: KEPT_MAX };

  /** Reads and keeps the changes since the last poll. Returns null if those that were kept are no longer valid. */
  const readChanges = async (): Promise<readonly KeptChange[] | null> => {
    const last = reached;
    const found = last === null ? null : await feed.since(last, query);
    if (found?.isComplete !== true || last === null || isVoid(last, found.at)) {
      start = reached = found?.at ?? (await feed.all({ ...query, limit: 0 })).at;
      kept = [];
      return null;
    }
    const { at, projects } = found;
    const changes = projects.map((project) => ({ project, at }));
    reached = at;
    if (changes.length === 0) return changes;
    const all = [...kept, ...changes];
    kept = all.slice(-KEPT_MAX);
    start = all[all.length - kept.length - 1]?.at ?? start;
    return changes;
  };

  const respond = (waiter: Waiter, found: ChangedProjects | null): void => {
    waiting.delete(waiter);
    waiter.resolve(found);
  };

  /** Responds to the readers with some of these changes, and to readers that do not wait. */
  const serve = (readers: Iterable<Waiter>, recent: readonly KeptChange[]): void => {
    const at = reached;
    for (const reader of readers) {
      if (!waiting.has(reader)) continue;
      reader.isServed = true;
      if (at === null || start === null || isVoid(reader.since, at) || !hasReached(reader.since, start)) {
        respond(reader, null);
        continue;
      }
      const changed = changesFor(reader, recent);
      if (changed.length > 0 || !reader.waits) respond(reader, pageOf(changed, at));
    }
  };

  const poll = async (): Promise<void> => {
    const startedAt = now();
    const first = arrived;
    arrived = new Set();
    let restMs = POLL.maxMs;
    try {
      const changes = await readChanges();
      restMs = POLL.factor * (now() - startedAt);
      if (changes?.length !== 0) {
        const earlier = [...waiting].filter(({ isServed }) => isServed);
        serve(earlier, changes ?? []);
      }
      serve(first, kept);
    } catch (error) {
      if (!isTransient(error)) warn(error);
      for (const reader of first) {
        if (reader.waits && waiting.has(reader)) arrived.add(reader);
        else if (waiting.delete(reader)) reader.reject(error);
      }
    }
    restsUntil = startedAt + Math.min(POLL.maxMs, Math.max(POLL.minMs, restMs));
    isPolling = false;
    schedule();
  };

  const schedule = (): void => {
    if (isPolling || waiting.size === 0) return;
    isPolling = true;
    timer(() => void poll(), Math.max(0, Math.ceil(restsUntil - now())));
  };

  return {
    async after(reader) {
      const { since, signal } = reader;
      const nothing = { projects: [], isComplete: true };
      if (signal.aborted) return { ...nothing, at: since };
      const { promise, resolve, reject } = Promise.withResolvers<ChangedProjects | null>();
      const waiter: Waiter = { ...reader, resolve, reject, isServed: false };
      const stop = (): void => {
        arrived.delete(waiter);
        respond(waiter, { ...nothing, at: waiter.isServed ? (reached ?? since) : since });
      };
      waiting.add(waiter);
      arrived.add(waiter);
      signal.addEventListener('abort', stop);
      schedule();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

function hasReached(position: FeedPosition, earlier: FeedPosition): boolean {
  return (
    position.registryVersion >= earlier.registryVersion && isNotBefore(position.snapshot, earlier.snapshot)
  );
}

/** Returns the last changes of projects that the reader gets and has not seen, sorted by project. */
function changesFor(
  { since, filter }: FeedReader,
  changes: readonly KeptChange[],
): readonly ChangedProject[] {
  const found = new Map<number, ChangedProject>();
  const lastSeen = changes.findLastIndex(({ at }) => hasReached(since, at));
  for (const { project } of changes.slice(lastSeen + 1).toReversed()) {
    const isNews =
      !shows(since.snapshot, project.transaction) || project.registryVersion > since.registryVersion;
    if (isNews && !found.has(project.projectId) && isFor(filter, project))
      found.set(project.projectId, project);
  }
  return [...found.values()].toSorted((a, b) => a.projectId - b.projectId);
}

function isFor({ key, shard }: FeedFilter, { projectId, lostBy }: ChangedProject): boolean {
  if (shard !== null && projectId % shard.of !== shard.index) return false;
  if (grantsProject(key, projectId)) return true;
  return lostBy?.includes(key.id) === true;
}

function pageOf(projects: readonly ChangedProject[], at: FeedPosition): ChangedProjects {
  const isComplete = projects.length <= FEED_PAGE_PROJECTS;
  return { at, projects: projects.slice(0, FEED_PAGE_PROJECTS), isComplete };
}
