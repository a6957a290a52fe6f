import { retryTransient, type Deadline, type StopSignal, type Timer } from '@plugin-config/flow';
import { entryName, type EntryKey, type LogRef } from '../log/log-entry.ts';
import type { LogEntryStore, LogFilter } from '../log/log-entry-store.ts';
import { isEveryEntry, matchesFilter } from '../log/matches-filter.ts';
import type { LogSequence, LogPosition } from './log-sequence.ts';
import { logCursorText, type LogCursor } from './log-cursor.ts';
import { logPositionOf, type LogFeeds, type LogPage, type LogStep } from './log-feeds.ts';
import { TAIL_MAX, tailKeys } from './log-tail.ts';
import { isTransient } from '../kernel/domain-error.ts';
import type { ResetReason } from '../vocabulary/vocabulary.ts';

export interface LogStreamRequest {
  readonly record: LogRef;
  readonly filter: LogFilter;
  /** The number of newest entries to start with, unless the stream resumes. */
  readonly tail: number;
  /** The cursor of the last step that the reader has received, or why the stream cannot resume there. */
  readonly cursor: LogCursor | ResetReason | null;
  /** How long the caller waits for the start. */
  readonly deadline: Deadline;
}

/** A stream that starts at a position, after the rest of its tail. */
export interface LogStreamStart {
  readonly request: LogStreamRequest;
  readonly position: LogPosition;
  readonly tail: readonly EntryKey[];
  readonly reset: ResetReason | null;
}

interface Dependencies {
  readonly sequence: LogSequence;
  readonly log: Pick<LogEntryStore, 'find' | 'newestKeys'>;
  readonly feeds: LogFeeds;
  readonly timer: Timer;
}

const TAIL_BYTES = 256 * 1024;
/**
 * Finds the start of a stream: at its cursor, or after the tail.
 * @throws DomainError as `LogEntryStore.page`, and `busy` if the deadline passes
 */
export async function startLogStream(
  dependencies: Pick<Dependencies, 'sequence' | 'log'>,
  request: LogStreamRequest,
): Promise<LogStreamStart> {
  const { record, filter, tail, cursor, deadline } = request;
  const now = await logPositionOf(dependencies.sequence, record);
  if (cursor === null) {
    const keys = await tailKeys(dependencies, {
      record,
      filter,
      deadline,
      position: now,
      extent: tail,
      most: tail,
    });
    return { request, position: now, tail: keys ?? [], reset: null };
  }
  const reset = (reason: ResetReason): LogStreamStart => ({
    request,
    position: now,
    tail: [],
    reset: reason,
  });
  if (typeof cursor === 'string') return reset(cursor);
  const { position, tail: last } = cursor;
  if ((await dependencies.sequence.after(record, position)) === null) return reset('unknown_cursor');
  if (last === null) return { request, position, tail: [], reset: null };
  const most = now.number - position.number + 2 * TAIL_MAX;
  const rest = await tailKeys(dependencies, { record, filter, deadline, position, extent: last, most });
  return rest === null ? reset('unknown_cursor') : { request, position, tail: rest, reset: null };
}

/** Yields the steps of a stream until the signal is aborted. Temporary failures delay a step. */
export async function* logStream(
  dependencies: Pick<Dependencies, 'log' | 'feeds' | 'timer'>,
  start: LogStreamStart,
  signal: StopSignal,
): AsyncGenerator<LogStep, void> {
  const { record, filter } = start.request;
  yield firstStep(start);
  yield* tailSteps(dependencies, start, signal);
  const stepOf = stepsOf(filter);
  for await (const page of dependencies.feeds.after(record, start.position, signal)) yield stepOf(page);
}

/** Has the cursor, so a reader can resume even if no entries follow. */
function firstStep({ reset, position, tail, request: { cursor } }: LogStreamStart): LogStep {
  if (reset !== null) return { reset, entries: [], cursor: logCursorText(position) };
  const [oldest] = tail;
  if (oldest !== undefined && cursor !== null && typeof cursor === 'object')
    return { entries: [], cursor: logCursorText(position, cursor.tail) };
  return { entries: [], cursor: logCursorText(position, oldest === undefined ? null : justBefore(oldest)) };
}

/** Returns a key that precedes every entry with this timestamp. */
function justBefore({ timestamp }: EntryKey): EntryKey {
  return { timestamp: new Date(timestamp.getTime() - 1), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
}

async function* tailSteps(
  { log, timer }: Pick<Dependencies, 'log' | 'timer'>,
  { request: { record }, tail, position }: LogStreamStart,
  signal: StopSignal,
): AsyncGenerator<LogStep, void> {
  for (let keys = tail; keys.length > 0 && !signal.aborted;) {
    const pending = keys;
    const found = await retryTransient({ timer, signal, isTransient }, () =>
      log.find(record, pending.slice(0, 500), TAIL_BYTES),
    );
    if (found === undefined) return;
    const last = found.at(-1);
    const taken = last === undefined ? 500 : keys.findIndex((key) => entryName(key) === entryName(last)) + 1;
    keys = keys.slice(taken);
    const isEnd = keys.length === 0;
    const entries = found.map((entry) => ({
      cursor: logCursorText(position, isEnd && entry === last ? null : entry),
      entry,
    }));
    const cursor = entries.at(-1)?.cursor ?? logCursorText(position);
    if (entries.length > 0 || isEnd) yield { entries, cursor };
  }
}

/** Streams without a filter share the page as their step. */
function stepsOf(filter: LogFilter): (page: LogPage) => LogStep {
  if (isEveryEntry(filter)) return (page) => page;
  const matches = matchesFilter(filter);
  return (page) => ({ ...page, entries: page.entries.filter(({ entry }) => matches(entry)) });
}
