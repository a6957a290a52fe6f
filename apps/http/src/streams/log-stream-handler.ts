import type { streamEndpoints } from '@plugin-config/contract';
import {
  logFeeds,
  logStream,
  startLogStream,
  type LogArrivals,
  type LogEntryStore,
  type LogStep,
  type Timer,
  type WakeUps,
} from '@plugin-config/domain';
import type { EventOfStream, StreamHandler } from '../endpoints/handler.ts';
import { patienceOf } from '../requests/patience-of.ts';
import { presentEntry } from '../log/log-handler.ts';
import { resetEvent, type StreamPart } from './stream-event.ts';

export interface LogStreamDependencies {
  readonly arrivals: LogArrivals;
  readonly logEntries: LogEntryStore;
  readonly wakeUps: WakeUps;
}

type Endpoint = (typeof streamEndpoints)['streamLogs'];
type LogPart = StreamPart<EventOfStream<Endpoint>>;

/** Does not keep the process alive. */
const timer: Timer = (work, afterMs) => {
  const timeout = setTimeout(work, afterMs).unref();
  return () => clearTimeout(timeout);
};

/** Streams the entries of a log. */
export function logStreamHandler({
  arrivals,
  logEntries: log,
  wakeUps,
}: LogStreamDependencies): StreamHandler<Endpoint> {
  const feeds = logFeeds({ arrivals, log, wakeUps, timer, now: () => performance.now() });
  const dependencies = { arrivals, log, timer, feeds };
  return {
    follow: async ({ request, reply, record, query }, cursor) => {
      const { tail, types, source, instanceId, after, before, search } = query;
      const filter = { types, source, instanceId, after, before, search };
      const { left } = patienceOf(request);
      const patience = { left: () => (reply.raw.destroyed ? 0 : left()) };
      const start = await startLogStream(dependencies, { record, filter, tail, cursor, patience });
      return async function* parts(signal) {
        for await (const step of logStream(dependencies, start, signal)) yield partOf(step);
      };
    },
  };
}

const parts = new WeakMap<LogStep, LogPart>();

/** The part of a step, which several streams may share. */
function partOf(step: LogStep): LogPart {
  const known = parts.get(step);
  if (known !== undefined) return known;
  const part = eventsOf(step);
  parts.set(step, part);
  return part;
}

/** The last event tells the cursor after the step, also if the filter left the last entries out. */
function eventsOf({ reset, entries, cursor }: LogStep): LogPart {
  if (reset !== undefined) return [resetEvent(cursor, reset)];
  const events = entries.map(({ cursor: id, entry }) => ({
    id,
    event: 'log' as const,
    data: presentEntry(entry),
  }));
  return events.at(-1)?.id === cursor ? events : [...events, { id: cursor }];
}
