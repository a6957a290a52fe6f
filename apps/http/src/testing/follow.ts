import { eventBlocks, eventOf, type ReceivedEvent } from '@plugin-config/conformance';

export interface FollowedStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the next event; null at the end of the stream. Skips comments. */
  next(): Promise<ReceivedEvent | null>;
  /** Returns the next named events. */
  named(count: number): Promise<readonly ReceivedEvent[]>;
  close(): Promise<void>;
}

interface Options {
  /** Null sends none. */
  readonly token: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Opens a stream. */
export async function follow(url: string, { token, headers = {} }: Options): Promise<FollowedStream> {
  const hangUp = new AbortController();
  const response = await fetch(url, {
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    signal: hangUp.signal,
  });
  const events = eventsOf(response);
  const next = async (): Promise<ReceivedEvent | null> => {
    const { value, done } = await events.next();
    return done === true ? null : value;
  };
  const close = async (): Promise<void> => hangUp.abort();
  return {
    status: response.status,
    headers: response.headers,
    next,
    named: async (count) => {
      const found: ReceivedEvent[] = [];
      while (found.length < count) {
        const event = await next();
        if (event === null) throw new Error(`The stream ended after ${JSON.stringify(found)}.`);
        if (event.event !== null) found.push(event);
      }
      return found;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function* eventsOf({ body }: Response): AsyncGenerator<ReceivedEvent, void> {
  const blocksIn = eventBlocks();
  for await (const text of (body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())) {
    for (const event of blocksIn(text).map(eventOf)) if (event !== null) yield event;
  }
}
