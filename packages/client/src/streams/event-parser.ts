export interface ServerSentEvent {
  /** `message` if the event has no name. */
  readonly event: string;
  readonly data: string;
  /** The last id so far: an event without an id inherits that of the previous event. */
  readonly id: string;
}

/** Parses `text/event-stream` as specified by the HTML standard. */
export interface EventParser {
  /** Returns the events that end in this piece of the text. */
  read(piece: string): readonly ServerSentEvent[];
  /** The id of the last event, including events without data, which are not returned. */
  readonly lastId: string;
  /** The pause that the stream requests before the next connection. */
  readonly retryMs: number | undefined;
}

/** Creates a parser that throws a `RangeError` if an event has more than `maxChars` characters. */
export function eventParser(firstId: string, maxChars: number): EventParser {
  let lastId = firstId;
  let retryMs: number | undefined;
  let line = '';
  let endedWithCr = false;
  let event = '';
  let data: string[] = [];
  let dataChars = 0;
  let id = firstId;

  const dispatch = (): readonly ServerSentEvent[] => {
    lastId = id;
    const events = data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n'), id }];
    [event, data, dataChars] = ['', [], 0];
    return events;
  };

  const readLine = (text: string): readonly ServerSentEvent[] => {
    if (text === '') return dispatch();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(text) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') {
      data.push(value);
      dataChars += value.length;
    } else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
    return [];
  };

  return {
    read: (piece) => {
      if (piece === '') return [];
      const text = endedWithCr && piece.startsWith('\n') ? piece.slice(1) : piece;
      endedWithCr = piece.endsWith('\r');
      const [first = '', ...others] = text.split(/\r\n|\n|\r/);
      const lines = [line + first, ...others];
      line = lines.pop() ?? '';
      const events = lines.flatMap(readLine);
      if (line.length + dataChars > maxChars)
        throw new RangeError(`An event has more than ${maxChars} characters.`);
      return events;
    },
    get lastId() {
      return lastId;
    },
    get retryMs() {
      return retryMs;
    },
  };
}
