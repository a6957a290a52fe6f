/** One event as it arrived. Without a name, it only tells a cursor. */
export interface ReceivedEvent {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: unknown;
  readonly retry: number | null;
}

/** A stream that a test follows. */
export interface FollowedStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; null at the end of the stream. Comments are skipped. */
  next(): Promise<ReceivedEvent | null>;
  /** The next events that have a name. */
  named(count: number): Promise<readonly ReceivedEvent[]>;
  close(): Promise<void>;
}

interface Options {
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Opens a stream. */
export async function follow(url: string, { token, headers = {} }: Options): Promise<FollowedStream> {
  const hangUp = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...headers },
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
  let text = '';
  for await (const chunk of (body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (!block.startsWith(':')) yield eventOf(block);
  }
}

function eventOf(block: string): ReceivedEvent {
  const fields = new Map(block.split('\n').map((line) => splitAt(line, ': ')));
  const data = fields.get('data');
  return {
    id: fields.get('id') ?? null,
    event: fields.get('event') ?? null,
    data: data === undefined ? null : JSON.parse(data),
    retry: fields.has('retry') ? Number(fields.get('retry')) : null,
  };
}

function splitAt(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return [line.slice(0, at), line.slice(at + separator.length)];
}
