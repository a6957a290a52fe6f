import { isTransient } from '../kernel/domain-error.ts';
import type { EntryKey } from '../log/log-entry.ts';
import type { LogEntryStore, LogFilter } from '../log/log-entry-store.ts';
import type { StopSignal } from '../kernel/stop-signal.ts';
import { isEveryEntry, matchesFilter } from '../log/matches-filter.ts';
import type { Timer } from '../sharing/concurrency-limit.ts';
import type { Patience } from '../sharing/patience.ts';
import type { LogArrivals, LogPosition, LogRef } from './log-arrivals.ts';
import { logCursorText, parseLogCursor } from './log-cursor.ts';
import type { LogFeed, LogFeeds, LogPage, StreamedEntry } from './log-feeds.ts';
import { nameOf, TAIL_MAX, tailKeys } from './log-tail.ts';

/** Why a stream does not go on where its reader left it. */
export type ResetReason = 'malformed_cursor' | 'unknown_cursor';

/** What a stream tells next. Streams of the same log without a filter share equal steps. */
export interface LogStep {
  readonly reset?: ResetReason;
  readonly entries: readonly StreamedEntry[];
  /** The cursor after the step. */
  readonly cursor: string;
}

export interface LogStreamRequest {
  readonly record: LogRef;
  readonly filter: LogFilter;
  /** The number of newest entries to begin with, unless the stream resumes. */
  readonly tail: number;
  /** The cursor of the last step that the reader has. */
  readonly cursor: string | null;
  /** How long the caller waits for the beginning. */
  readonly patience: Patience;
}

/** A stream that begins at a position, after the rest of its tail. */
export interface LogStreamStart {
  readonly request: LogStreamRequest;
  readonly position: LogPosition;
  readonly tail: readonly EntryKey[];
  readonly reset: ResetReason | null;
}

interface Dependencies {
  readonly arrivals: LogArrivals;
  readonly log: Pick<LogEntryStore, 'find' | 'newestKeys'>;
  readonly feeds: LogFeeds;
  readonly timer: Timer;
}

const TAIL_BYTES = 256 * 1024;
/** The pause after a failure that passes by itself. */
const RETRY_MS = 1_000;

/**
 * Finds the beginning of a stream: where its cursor says, or after the tail.
 * @throws DomainError as the listing of the log does, and `busy` if the patience runs out
 */
export async function startLogStream(
  dependencies: Pick<Dependencies, 'arrivals' | 'log'>,
  request: LogStreamRequest,
): Promise<LogStreamStart> {
  const { record, filter, tail, cursor, patience } = request;
  const now = await positionOf(dependencies, record);
  if (cursor === null) {
    const keys = await tailKeys(dependencies, {
      record,
      filter,
      patience,
      position: now,
      extent: tail,
      most: tail,
    });
    return { request, position: now, tail: keys ?? [], reset: null };
  }
  const given = parseLogCursor(cursor);
  const reset = (reason: ResetReason): LogStreamStart => ({
    request,
    position: now,
    tail: [],
    reset: reason,
  });
  if (given === null) return reset('malformed_cursor');
  const { position, tail: last } = given;
  if ((await dependencies.arrivals.after(record, position)) === null) return reset('unknown_cursor');
  if (last === null) return { request, position, tail: [], reset: null };
  const most = now.number - position.number + 2 * TAIL_MAX;
  const rest = await tailKeys(dependencies, { record, filter, patience, position, extent: last, most });
  return rest === null ? reset('unknown_cursor') : { request, position, tail: rest, reset: null };
}

/** The steps of a stream, until the signal is aborted. Goes on after failures that pass by themselves. */
export async function* logStream(
  dependencies: Dependencies,
  start: LogStreamStart,
  signal: StopSignal,
): AsyncGenerator<LogStep, void> {
  const feed = dependencies.feeds.join(start.request.record);
  try {
    yield firstStep(start);
    yield* tailSteps(dependencies, start, signal);
    yield* newSteps({ ...dependencies, feed }, start, signal);
  } finally {
    feed.leave();
  }
}

/** Tells the cursor, so that a reader can resume although nothing has arrived. */
function firstStep({ reset, position, tail, request: { cursor } }: LogStreamStart): LogStep {
  if (reset !== null) return { reset, entries: [], cursor: logCursorText(position) };
  const isWithinTail = tail.length > 0 && cursor !== null;
  const [oldest] = tail;
  if (isWithinTail) return { entries: [], cursor };
  return { entries: [], cursor: logCursorText(position, oldest === undefined ? null : justBefore(oldest)) };
}

/** A key before which no entry of a tail is. */
function justBefore({ timestamp }: EntryKey): EntryKey {
  return { timestamp: new Date(timestamp.getTime() - 1), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
}

async function* tailSteps(
  { log, timer }: Dependencies,
  { request: { record }, tail, position }: LogStreamStart,
  signal: StopSignal,
): AsyncGenerator<LogStep, void> {
  for (let keys = tail; keys.length > 0 && !signal.aborted;) {
    const asked = keys;
    const found = await untilItWorks(timer, signal, () => log.find(record, asked.slice(0, 500), TAIL_BYTES));
    const last = found?.at(-1);
    const taken = last === undefined ? 500 : keys.findIndex((key) => nameOf(key) === nameOf(last)) + 1;
    keys = keys.slice(taken);
    const isEnd = keys.length === 0;
    const entries = (found ?? []).map((entry) => ({
      cursor: logCursorText(position, isEnd && entry === last ? null : entry),
      entry,
    }));
    const cursor = entries.at(-1)?.cursor ?? logCursorText(position);
    if (entries.length > 0 || isEnd) yield { entries, cursor };
  }
}

async function* newSteps(
  { feed, arrivals, timer }: Dependencies & { readonly feed: LogFeed },
  { request: { record, filter }, position: first }: LogStreamStart,
  signal: StopSignal,
): AsyncGenerator<LogStep, void> {
  let position = first;
  while (!signal.aborted) {
    const page = await untilItWorks(timer, signal, () => feed.read(position));
    if (page === undefined) return;
    if (page === null) {
      const now = await untilItWorks(timer, signal, () => positionOf({ arrivals }, record));
      if (now === undefined) return;
      position = now;
      yield { reset: 'unknown_cursor', entries: [], cursor: logCursorText(position) };
    } else {
      const isNew = page.position.number !== position.number;
      position = page.position;
      if (isNew) yield stepOf(page, filter);
      if (page.isLast) await untilWoken(feed, page.wakes, signal);
    }
  }
}

const wholePages = new WeakMap<LogPage, LogStep>();

function stepOf(page: LogPage, filter: LogFilter): LogStep {
  const cursor = logCursorText(page.position);
  if (!isEveryEntry(filter)) {
    return { entries: page.entries.filter(({ entry }) => matchesFilter(entry, filter)), cursor };
  }
  const step = wholePages.get(page) ?? { entries: page.entries, cursor };
  wholePages.set(page, step);
  return step;
}

async function positionOf(
  { arrivals }: Pick<Dependencies, 'arrivals'>,
  { id }: LogRef,
): Promise<LogPosition> {
  return (await arrivals.follow([id])).get(id) ?? { epoch: 0, number: 0 };
}

async function untilWoken(feed: LogFeed, seen: number, signal: StopSignal): Promise<void> {
  const { promise, stop } = feed.woken(seen);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  await promise;
  signal.removeEventListener('abort', stop);
}

/** Resolves to the result of the first attempt that does not fail for now, or to undefined once the signal is aborted. */
async function untilItWorks<T>(
  timer: Timer,
  signal: StopSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await pause(timer, signal);
    }
  }
  return undefined;
}

async function pause(timer: Timer, signal: StopSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timer(resolve, RETRY_MS);
  signal.addEventListener('abort', resolve);
  await promise;
  cancel();
  signal.removeEventListener('abort', resolve);
}
