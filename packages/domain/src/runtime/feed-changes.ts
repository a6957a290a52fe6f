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

interface Step {
  readonly at: FeedPosition;
  readonly projects: readonly ChangedProject[];
}

interface Waiter extends FeedReader {
  readonly resolve: (found: ChangedProjects | null) => void;
  readonly reject: (error: unknown) => void;
  /** Whether a poll that began after the call has found nothing for the reader. */
  isServed: boolean;
}

/** Polls with one statement for all readers, as long as there are any. */
export function feedChanges({ feed, family, timer, now, warn }: Dependencies): FeedChanges {
  /** The position before the first step; null before the first poll. */
  let start: FeedPosition | null = null;
  let steps: readonly Step[] = [];
  const waiting = new Set<Waiter>();
  /** The readers that still await their first poll. */
  let arrived = new Set<Waiter>();
  let isPolling = false;
  let restsUntil = 0;

  const query = { family, filter: EVERY_PROJECT, after: 0, limit: KEPT_MAX };
  const reached = (): FeedPosition | null => steps.at(-1)?.at ?? start;

  /** Reads the changes since the last poll. Returns null if the kept changes are no longer valid. */
  const readStep = async (): Promise<Step | null> => {
    const last = reached();
    const found = last === null ? null : await feed.since(last, query);
    if (found?.isComplete === true && last !== null && !isVoid(last, found.at)) return found;
    start = found?.at ?? (await feed.all({ ...query, limit: 0 })).at;
    steps = [];
    return null;
  };

  const keep = ({ at, projects }: Step): void => {
    const last = steps.at(-1);
    if (projects.length > 0) steps = [...steps, { at, projects }];
    else if (last === undefined) start = at;
    else steps = [...steps.slice(0, -1), { ...last, at }];
    const sizes = steps.map((step) => step.projects.length);
    let kept = sizes.reduce((sum, size) => sum + size, 0);
    const dropped = sizes.findIndex((size) => {
      if (kept <= KEPT_MAX) return true;
      kept -= size;
      return false;
    });
    if (dropped <= 0) return;
    start = steps[dropped - 1]?.at ?? start;
    steps = steps.slice(dropped);
  };

  const respond = (waiter: Waiter, found: ChangedProjects | null): void => {
    waiting.delete(waiter);
    waiter.resolve(found);
  };

  /** Responds to the readers with changes in these steps, and to readers that do not wait. */
  const serve = (readers: Iterable<Waiter>, recent: readonly Step[]): void => {
    const at = reached();
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
      const step = await readStep();
      restMs = POLL.factor * (now() - startedAt);
      if (step !== null) keep(step);
      if (step?.projects.length !== 0) {
        const earlier = [...waiting].filter(({ isServed }) => isServed);
        serve(earlier, step === null ? [] : [step]);
      }
      serve(first, steps);
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
        respond(waiter, { ...nothing, at: waiter.isServed ? (reached() ?? since) : since });
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
function changesFor({ since, filter }: FeedReader, steps: readonly Step[]): readonly ChangedProject[] {
  const found = new Map<number, ChangedProject>();
  for (const { at, projects } of steps.toReversed()) {
    if (hasReached(since, at)) break;
    for (const project of projects) {
      const isNews =
        !shows(since.snapshot, project.transaction) || project.registryVersion > since.registryVersion;
      if (isNews && !found.has(project.projectId) && isFor(filter, project))
        found.set(project.projectId, project);
    }
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
