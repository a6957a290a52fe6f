import type { streamEndpoints } from '@plugin-config/contract';
import {
  logStream,
  startLogStream,
  type LogSequence,
  type LogEntryStore,
  type LogFeeds,
  type LogStep,
} from '@plugin-config/domain';
import type { Timer } from '@plugin-config/flow';
import { deadlineOf } from '@plugin-config/server';
import type { EventOfStream, StreamHandler } from '../endpoints/handler.ts';
import { presentEntry } from '../log/log-handlers.ts';
import { partsOf, resetEvent, type StreamPart } from './stream-event.ts';

interface Dependencies {
  readonly feeds: LogFeeds;
  readonly sequence: LogSequence;
  readonly log: LogEntryStore;
  readonly timer: Timer;
}

type Endpoint = (typeof streamEndpoints)['streamLogs'];

export function logStreamHandler(dependencies: Dependencies): StreamHandler<Endpoint> {
  const parts = partsOf(eventsOf);
  return {
    open: async ({ request, reply, record, query }, cursor) => {
      const { tail, types, source, instanceId, after, before, search } = query;
      const filter = { types, source, instanceId, after, before, search };
      const { remainingMs } = deadlineOf(request);
      const deadline = { remainingMs: () => (reply.raw.destroyed ? 0 : remainingMs()) };
      const start = await startLogStream(dependencies, { record, filter, tail, cursor, deadline });
      return (signal) => parts(logStream(dependencies, start, signal));
    },
  };
}

/** The last event has the cursor after the step, even if the filter excluded the last entries. */
function eventsOf({ reset, entries, cursor }: LogStep): StreamPart<EventOfStream<Endpoint>> {
  if (reset !== undefined) return [resetEvent(cursor, reset)];
  const events = entries.map(({ cursor: id, entry }) => ({
    id,
    event: 'log' as const,
    data: presentEntry(entry),
  }));
  return events.at(-1)?.id === cursor ? events : [...events, { id: cursor }];
}
