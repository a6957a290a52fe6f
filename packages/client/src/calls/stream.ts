import { eventStream, type StreamOptions } from '../streams/event-stream.ts';
import type { CallSettings } from './call.ts';
import type { Streams } from './calls.ts';
import type { PathParams } from './endpoints.ts';

export type StreamInput<Id extends keyof Streams> = { readonly params: PathParams<Id> } & Omit<
  Streams[Id],
  'event'
>;

/** Opens a stream of the API. */
export type OpenStream = <Id extends keyof Streams>(
  id: Id,
  input: StreamInput<Id>,
  options?: StreamOptions,
) => AsyncIterable<Streams[Id]['event']>;

export function openStreams({ requestOf, ...settings }: CallSettings): OpenStream {
  return (id, input, options = {}) =>
    eventStream(
      {
        ...settings,
        requestOf: (lastEventId) =>
          requestOf(id, input, { accept: 'text/event-stream', 'last-event-id': lastEventId || null }),
      },
      options,
    );
}
