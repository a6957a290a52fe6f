import type { streamEndpoints } from '@plugin-config/contract';
import {
  familyCursorText,
  familyFeeds,
  feedChanges,
  familyStream,
  logFeeds,
  logStream,
  parseFamilyCursor,
  parseLogCursor,
  startLogStream,
  TIMEOUT_MS,
  type FamilyChanges,
  type FamilyFeeds,
  type FamilyPage,
  type FamilyStep,
  type Family,
  type FeedChanges,
  type LogEntryStore,
  type LogSequence,
  type LogStep,
  type ProjectFeed,
  type WakeUps,
} from '@plugin-config/domain';
import { deadline } from '@plugin-config/flow';
import { turns } from '@plugin-config/flow/node';
import { perTimeline } from '@plugin-config/persistence';
import { accessOf, deadlineOf, logFailure } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { EventOfStream, Handlers } from '../endpoints/handler.ts';
import { presentLogEntry } from '../log/log-handlers.ts';
import { onProject, onTimeline, readOnProject, readOnTimeline } from '../responses/timeline.ts';
import { timer } from './across-timelines.ts';
import { partsOf, resetEvent, type StreamPart } from './stream-event.ts';

interface Dependencies {
  readonly feeds: (request: FastifyRequest) => FamilyFeeds;
  readonly sequence: LogSequence;
  readonly logEntries: LogEntryStore;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
}

type Endpoints = typeof streamEndpoints;
type FamilyEvent = EventOfStream<Endpoints['streamRecords']>;
type LogEvent = EventOfStream<Endpoints['streamLogs']>;

/**
 * The number of streams that handle a page in one turn of the event loop. Filtering and serialising the largest page takes
 * several milliseconds per stream.
 */
const STREAMS_PER_TURN = 10;
/** The same for a page with a few changes to a family. */
const SMALL_PER_TURN = 200;
const SMALL_CHANGES = 100;

const turn = turns(STREAMS_PER_TURN);
const smallTurn = turns(SMALL_PER_TURN);

const now = (): number => performance.now();

const warnTo =
  (logger: Logger) =>
  (error: unknown): void =>
    logFailure(logger, { error, message: 'could not check for new events of streams', about: {} });

/** Opens the family feeds, which streams and long polls share. */
export function openFamilyFeeds({
  changes,
  logger,
}: Pick<Dependencies, 'logger'> & { readonly changes: FamilyChanges }): FamilyFeeds {
  const turnFor = ({ changes: { length } }: FamilyPage) => (length > SMALL_CHANGES ? turn() : smallTurn());
  return familyFeeds({ changes, turn: turnFor, timer, now, warn: warnTo(logger) });
}

/** Opens the poll for changes that all followers of all projects share. */
export function openFeedChanges({
  feed,
  family,
  logger,
}: Pick<Dependencies, 'logger'> & { readonly feed: ProjectFeed; readonly family: Family }): FeedChanges {
  return feedChanges({ feed, family, timer, now, warn: warnTo(logger) });
}

export function streamHandlers({
  feeds,
  sequence,
  logEntries: log,
  wakeUps,
  logger,
}: Dependencies): Handlers<Endpoints> {
  const warn = warnTo(logger);
  const familyPartsOn = perTimeline(() => partsOf(familyEvents));
  const logsOn = perTimeline(() => ({
    feeds: logFeeds({ sequence, log, wakeUps, turn, timer, now, warn }),
    parts: partsOf(logEvents),
  }));
  return {
    streamRecords: {
      open: ({ request, family }, lastEventId) => {
        const { timeline, registryVersion, familyVersion } = accessOf(request);
        const at = { ...family, registryVersion, familyVersion };
        const { projectId } = family;
        const cursor = cursorOf(lastEventId, (id) =>
          readOnProject(timeline, projectId, id, parseFamilyCursor),
        );
        const dependencies = { feeds: feeds(request) };
        const parts = familyPartsOn(timeline);
        const idOf = (text: string): string => onProject(timeline, projectId, text);
        return (signal) => parts(familyStream(dependencies, { family: at, cursor }, signal), idOf);
      },
    },

    streamLogs: {
      open: async ({ request, reply, record, query }, lastEventId) => {
        const { timeline } = accessOf(request);
        const cursor = cursorOf(lastEventId, (id) => readOnTimeline(timeline, id, parseLogCursor));
        const { feeds: logFeed, parts } = logsOn(timeline);
        const logs = { feeds: logFeed, sequence, log, timer };
        const { tail, types, source, instanceId, after, before, search } = query;
        const filter = { types, source, instanceId, after, before, search };
        // A stream that continues after a failover is long past the deadline of its request.
        const { remainingMs } = reply.sent ? deadline(TIMEOUT_MS, now) : deadlineOf(request);
        const whileOpen = { remainingMs: () => (reply.raw.destroyed ? 0 : remainingMs()) };
        const start = await startLogStream(logs, { record, filter, tail, cursor, deadline: whileOpen });
        const idOf = (text: string): string => onTimeline(timeline, text);
        return (signal) => parts(logStream(logs, start, signal), idOf);
      },
    },
  };
}

/** Returns the cursor to resume at, or why the stream begins with a reset. */
function cursorOf<T extends object>(
  lastEventId: string | null,
  read: (text: string) => T | 'malformed' | 'unknown',
) {
  const cursor = lastEventId === null ? null : read(lastEventId);
  return typeof cursor === 'string' ? (`${cursor}_cursor` as const) : cursor;
}

/** A step without changes only moves the cursor. */
function familyEvents({ reset, changes, cursor }: FamilyStep): StreamPart<FamilyEvent> {
  if (reset !== undefined) return [resetEvent(cursor, reset)];
  if (changes.length === 0) return [{ id: cursor }];
  return changes.map(({ cursor: after, record }): FamilyEvent => {
    const id = familyCursorText(after);
    if (record === null) return { id, event: 'order', data: {} };
    return {
      id,
      event: 'record',
      data: { id: record.id, version: record.version, deleted: record.deleted },
    };
  });
}

/** The last event has the cursor after the step, even if the filter excluded the last entries. */
function logEvents({ reset, entries, cursor }: LogStep): StreamPart<LogEvent> {
  if (reset !== undefined) return [resetEvent(cursor, reset)];
  const events = entries.map(({ cursor: id, entry }) => ({
    id,
    event: 'log' as const,
    data: presentLogEntry(entry),
  }));
  return events.at(-1)?.id === cursor ? events : [...events, { id: cursor }];
}
