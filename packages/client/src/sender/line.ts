import type { DeliveryMessage, ErrorMessage, LogMessage } from '../wire.ts';
import { uuid7Source } from '../uuid7.ts';

/** A message to send. The sender adds a missing id or timestamp, so retries do not store it twice. */
export type Message =
  | LogMessage
  | (Omit<DeliveryMessage, 'id'> & Partial<Pick<DeliveryMessage, 'id'>>)
  | ErrorMessage;

/** An encoded line of NDJSON. */
export type Line = Uint8Array<ArrayBuffer>;

/** Returns a function that encodes messages. A message with an id gets no timestamp: it has one already, or the id contains it. */
export function lineWriter(now: () => number = Date.now): (message: Message) => Line {
  const encoder = new TextEncoder();
  const nextId = uuid7Source();
  return (message) => {
    const time = now();
    const timestamp = new Date(time).toISOString();
    const isError = 'kind' in message && message.kind === 'error';
    const hasId = 'id' in message && message.id !== undefined;
    const defaults = { ...(hasId ? {} : { timestamp }), ...(hasId || isError ? {} : { id: nextId(time) }) };
    return encoder.encode(`${JSON.stringify({ ...defaults, ...withoutUndefined(message) })}\n`);
  };
}

/** An undefined field must not override its default. */
function withoutUndefined(message: Message): object {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
}
