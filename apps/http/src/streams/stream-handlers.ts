import type { streamEndpoints } from '@plugin-config/contract';
import {
  familyCursorText,
  familyFeeds,
  familyStream,
  logFeeds,
  logStream,
  startLogStream,
  type FamilyChanges,
  type FamilyFeeds,
  type FamilyStep,
  type LogEntryStore,
  type LogSequence,
  type LogStep,
  type WakeUps,
} from '@plugin-config/domain';
import type { Timer } from '@plugin-config/flow';
import { turns } from '@plugin-config/flow/node';
import { accessOf, deadlineOf, logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import type { EventOfStream, Handlers } from '../endpoints/handler.ts';
import { presentLogEntry } from '../log/log-handlers.ts';
import { partsOf, resetEvent, type StreamPart } from './stream-event.ts';

interface Dependencies {
  readonly feeds: FamilyFeeds;
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

/** Does not keep the process alive. */
const timer: Timer = (work, afterMs) => {
  const timeout = setTimeout(work, afterMs).unref();
  return () => clearTimeout(timeout);
};

const turn = turns(STREAMS_PER_TURN);

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
  return familyFeeds({ changes, turn, timer, now, warn: warnTo(logger) });
}

export function streamHandlers({
  feeds,
  sequence,
  logEntries: log,
  wakeUps,
  logger,
}: Dependencies): Handlers<Endpoints> {
  const warn = warnTo(logger);
  const logs = {
    feeds: logFeeds({ sequence, log, wakeUps, turn, timer, now, warn }),
    sequence,
    log,
    timer,
  };
  const familyParts = partsOf(familyEvents);
  const logParts = partsOf(logEvents);
  return {
    streamRecords: {
      open: ({ request, family }, lastEventId) => {
        const { timeline, registryVersion, familyVersion } = accessOf(request);
        const at = { ...family, timelineId: timeline.id, registryVersion, familyVersion };
        return (signal) => familyParts(familyStream({ feeds }, { family: at, cursor: lastEventId }, signal));
      },
    },

    streamLogs: {
      open: async ({ request, reply, record, query }, cursor) => {
        const { tail, types, source, instanceId, after, before, search } = query;
        const filter = { types, source, instanceId, after, before, search };
        const { remainingMs } = deadlineOf(request);
        const deadline = { remainingMs: () => (reply.raw.destroyed ? 0 : remainingMs()) };
        const start = await startLogStream(logs, { record, filter, tail, cursor, deadline });
        return (signal) => logParts(logStream(logs, start, signal));
      },
    },
  };
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
