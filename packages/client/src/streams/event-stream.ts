import { attempt, requestLine, type HttpRequest } from '../http/attempt.ts';
import { PluginConfigError } from '../http/error.ts';
import { backOffMs, FOREVER, sleep, withRetries, type RetryPolicy } from '../http/retry.ts';
import type { StreamEvent } from '../wire.ts';
import { eventParser, type EventParser } from './event-parser.ts';
import { readText } from './read-text.ts';

export interface StreamOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the last event that you received. The stream resumes after it. */
  readonly lastEventId?: string | undefined;
  /** Called with the cursor of each connection as soon as there is one. No event after it is missed. */
  readonly onOpen?: ((cursor: string) => void) | undefined;
  /** Called with the error of each failed attempt and each lost connection. The stream continues unless the loop throws. */
  readonly onError?: ((error: PluginConfigError) => void) | undefined;
  /** The timeout of each attempt to connect. */
  readonly timeoutMs?: number | undefined;
  /** A connection that receives nothing for this long is replaced. Defaults to 40,000 ms. */
  readonly silenceMs?: number | undefined;
}

interface Source {
  readonly requestOf: (lastEventId: string) => HttpRequest;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** Applies to the first connection. After that, the stream retries forever. */
  readonly retry: RetryPolicy;
}

/** Larger than any event of the service. */
const EVENT_MAX_CHARS = 1_048_576;

/** Returns the events of a stream, across any number of connections. The first iteration sends the request. */
export function eventStream<E extends StreamEvent>(source: Source, options: StreamOptions): AsyncIterable<E> {
  return {
    [Symbol.asyncIterator]: () => {
      const controller = new AbortController();
      const events = followStream(source, options, controller) as AsyncGenerator<E, undefined>;
      const done = { done: true, value: undefined } as const;
      return {
        next: async () =>
          events.next().catch((error: unknown) => {
            if (controller.signal.reason === LOOP_LEFT) return done;
            throw error;
          }),
        // Closes the connection immediately, even while an event is awaited.
        return: async () => {
          controller.abort(LOOP_LEFT);
          void events.return(undefined);
          return done;
        },
      };
    },
  };
}

const LOOP_LEFT = Symbol('The loop was left.');

async function* followStream(
  { requestOf, fetch, timeoutMs: defaultTimeoutMs, retry }: Source,
  options: StreamOptions,
  controller: AbortController,
): AsyncGenerator<StreamEvent, undefined> {
  const { lastEventId = '', onError = () => {}, timeoutMs = defaultTimeoutMs } = options;
  const { signal } = controller;
  const abort = (): void => controller.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', abort);
  if (options.signal?.aborted === true) abort();
  let policy = retry;
  let parser = eventParser(lastEventId, EVENT_MAX_CHARS);
  let losses = 0;
  try {
    for (;;) {
      const request = requestOf(parser.lastId);
      const name = requestLine(request);
      const body = await withRetries(
        async () => attempt(request, { fetch, timeoutMs, signal }, (response) => streamBody(name, response)),
        { policy, isRepeatable: true, onError, signal },
      );
      policy = { ...retry, ...FOREVER };
      parser = eventParser(parser.lastId, EVENT_MAX_CHARS);
      const openedAt = performance.now();
      try {
        yield* eventsOf({ name, body, parser, signal }, options);
      } catch (error) {
        if (!(error instanceof PluginConfigError) || error.code !== 'unreachable') throw error;
        onError(error);
      }
      losses = performance.now() - openedAt > retry.maxPauseMs ? 1 : losses + 1;
      await sleep((parser.retryMs ?? 0) + backOffMs(losses, retry), signal);
    }
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}

interface Connection {
  readonly name: string;
  readonly body: ReadableStream<Uint8Array>;
  readonly parser: EventParser;
  readonly signal: AbortSignal;
}

/** Yields the events of one connection. Always ends with an error. */
async function* eventsOf(
  { parser, ...connection }: Connection,
  { onOpen, silenceMs = 40_000 }: StreamOptions,
): AsyncGenerator<StreamEvent, void> {
  const { name } = connection;
  let isOpen = false;
  for await (const text of readText({ ...connection, silenceMs })) {
    const events = parseEvents(name, parser, text);
    if (!isOpen && parser.lastId !== '') {
      isOpen = true;
      onOpen?.(parser.lastId);
    }
    for (const event of events) {
      if (event.event === 'end') throw endError(name, event);
      yield event;
    }
  }
}

async function streamBody(
  name: string,
  { status, headers, body }: Response,
): Promise<ReadableStream<Uint8Array>> {
  if (body !== null && headers.get('content-type')?.startsWith('text/event-stream') === true) return body;
  await body?.cancel();
  const detail = 'The response is not a stream. Check that the URL is that of the service.';
  throw new PluginConfigError(name, { code: 'unreadable', detail, status });
}

function parseEvents(name: string, parser: EventParser, text: string): readonly StreamEvent[] {
  try {
    return parser.read(text).map(({ event, id, data }) => ({ event, id, data: JSON.parse(data) as unknown }));
  } catch (cause) {
    const detail = 'The stream sent an event that is too long, or whose data is not JSON.';
    throw new PluginConfigError(name, { code: 'unreadable', detail, cause });
  }
}

/** Returns the error for a stream that the service ended: permanent if the key is no longer valid, otherwise temporary. */
function endError(name: string, { data }: StreamEvent): PluginConfigError {
  const { reason } = data as { readonly reason: string };
  const detail = `The service ended the stream: ${reason}.`;
  return reason.startsWith('key_')
    ? new PluginConfigError(name, { code: 'authentication_failed', type: 'authentication_error', detail })
    : new PluginConfigError(name, { code: 'unreachable', detail });
}
