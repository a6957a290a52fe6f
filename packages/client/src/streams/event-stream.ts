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
export function eventStream(source: Source, options: StreamOptions): AsyncIterable<StreamEvent> {
  return { [Symbol.asyncIterator]: () => followStream(source, options) };
}

async function* followStream(
  { requestOf, fetch, timeoutMs: defaultTimeoutMs, retry }: Source,
  options: StreamOptions,
): AsyncGenerator<StreamEvent, undefined> {
  const { signal, lastEventId = '', onError = () => {}, timeoutMs = defaultTimeoutMs } = options;
  let policy = retry;
  let parser = eventParser(lastEventId, EVENT_MAX_CHARS);
  let losses = 0;
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
      yield* eventsOf({ name, body, parser }, options);
    } catch (error) {
      if (!(error instanceof PluginConfigError) || error.code !== 'unreachable') throw error;
      onError(error);
    }
    losses = performance.now() - openedAt > retry.maxPauseMs ? 1 : losses + 1;
    await sleep((parser.retryMs ?? 0) + backOffMs(losses, retry), signal);
  }
}

interface Connection {
  readonly name: string;
  readonly body: ReadableStream<Uint8Array>;
  readonly parser: EventParser;
}

/** Yields the events of one connection. Always ends with an error. */
async function* eventsOf(
  { name, body, parser }: Connection,
  { signal, onOpen, silenceMs = 40_000 }: StreamOptions,
): AsyncGenerator<StreamEvent, void> {
  let isOpen = false;
  for await (const text of readText({ name, body, silenceMs, signal })) {
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
