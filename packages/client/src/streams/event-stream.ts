import { attempt, requestLine, type HttpRequest } from '../http/attempt.ts';
import { PluginConfigError } from '../http/error.ts';
import { backOffMs, FOREVER, sleep, withRetries, type RetryPolicy } from '../http/retry.ts';
import type { StreamEvent } from '../wire/stream.ts';
import { eventParser, type EventParser } from './event-parser.ts';
import { textsOf } from './texts-of.ts';

export interface StreamOptions {
  /** Ends the stream and whatever it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** The id of the last event that you have: the stream resumes after it. */
  readonly lastEventId?: string | undefined;
  /** Called on each connection, once the stream has its cursor: no later event is missed. */
  readonly onOpen?: (() => void) | undefined;
  /** Gets the error of each failed attempt and each lost connection. The stream continues unless it throws. */
  readonly onError?: ((error: PluginConfigError) => void) | undefined;
  /** The time for each attempt to connect. */
  readonly timeoutMs?: number | undefined;
  /** A connection on which nothing comes for this long is replaced: 40,000 ms by default. */
  readonly silenceMs?: number | undefined;
}

interface Source {
  readonly requestOf: (lastEventId: string) => HttpRequest;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** For the first connection. After it, the stream tries again without end. */
  readonly retry: RetryPolicy;
}

/** Larger than any event of the service. */
const EVENT_MAX_CHARS = 1_048_576;

/** The events of a stream, over any number of connections. Nothing is sent before the first event is asked for. */
export function eventStream<E extends StreamEvent>(source: Source, options: StreamOptions): AsyncIterable<E> {
  return {
    [Symbol.asyncIterator]: () => {
      const leaving = new AbortController();
      const events = overConnections(source, options, leaving) as AsyncGenerator<E, undefined>;
      const done = { done: true, value: undefined } as const;
      return {
        next: async () =>
          events.next().catch((error: unknown) => {
            if (leaving.signal.reason === LEFT) return done;
            throw error;
          }),
        // Ends the connection at once, also while an event is awaited.
        return: async () => {
          leaving.abort(LEFT);
          void events.return(undefined);
          return done;
        },
      };
    },
  };
}

const LEFT = Symbol('The loop was left.');

async function* overConnections(
  { requestOf, fetch, timeoutMs: usualTimeoutMs, retry }: Source,
  options: StreamOptions,
  leaving: AbortController,
): AsyncGenerator<StreamEvent, undefined> {
  const { lastEventId = '', onError = () => {}, timeoutMs = usualTimeoutMs } = options;
  const { signal } = leaving;
  const abort = (): void => leaving.abort(options.signal?.reason);
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
        async () => attempt(request, { fetch, timeoutMs, signal }, (answer) => bodyOf(name, answer)),
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

/** The events of one connection. Always ends with an error. */
async function* eventsOf(
  { parser, ...connection }: Connection,
  { onOpen, silenceMs = 40_000 }: StreamOptions,
): AsyncGenerator<StreamEvent, void> {
  const { name } = connection;
  let isOpen = false;
  for await (const text of textsOf({ ...connection, silenceMs })) {
    const events = read(name, parser, text);
    if (!isOpen && parser.lastId !== '') {
      isOpen = true;
      onOpen?.();
    }
    for (const event of events) {
      if (event.event === 'end') throw endOf(name, event);
      yield event;
    }
  }
}

async function bodyOf(
  name: string,
  { status, headers, body }: Response,
): Promise<ReadableStream<Uint8Array>> {
  if (body !== null && headers.get('content-type')?.startsWith('text/event-stream') === true) return body;
  await body?.cancel();
  const detail = 'The answer is not a stream. Does the address lead to the service?';
  throw new PluginConfigError(name, { code: 'unreadable', detail, status });
}

function read(name: string, parser: EventParser, text: string): readonly StreamEvent[] {
  try {
    return parser.read(text).map(({ event, id, data }) => ({ event, id, data: JSON.parse(data) as unknown }));
  } catch (cause) {
    const detail = 'An event is not one of the service.';
    throw new PluginConfigError(name, { code: 'unreadable', detail, cause });
  }
}

/** The error of a stream that the service ended: permanent if the key is no longer valid, else temporary. */
function endOf(name: string, { data }: StreamEvent): PluginConfigError {
  const { reason } = data as { readonly reason: string };
  const detail = `The service ended the stream: ${reason}.`;
  return reason.startsWith('key_')
    ? new PluginConfigError(name, { code: 'authentication_failed', type: 'authentication_error', detail })
    : new PluginConfigError(name, { code: 'unreachable', detail });
}
