import type { DeliveryMessage, ErrorMessage, LogMessage } from '../wire/message.ts';
import { uuid7Source } from '../uuid7.ts';

/** A message for a sender. The sender adds a missing id or timestamp, so that sending again does not store it twice. */
export type Message =
  | LogMessage
  | (Omit<DeliveryMessage, 'id'> & Partial<Pick<DeliveryMessage, 'id'>>)
  | ErrorMessage;

/** One line of NDJSON. */
export type Line = Uint8Array<ArrayBuffer>;

/** Writes messages as lines. Adds no timestamp to a message with an id: its time is in its own timestamp or in the id. */
export function lineWriter(now: () => number = Date.now): (message: Message) => Line {
  const encoder = new TextEncoder();
  const nextId = uuid7Source();
  return (message) => {
    const time = now();
    const timestamp = new Date(time).toISOString();
    const isError = 'kind' in message && message.kind === 'error';
    const hasId = 'id' in message && message.id !== undefined;
    const own = { ...(hasId ? {} : { timestamp }), ...(hasId || isError ? {} : { id: nextId(time) }) };
    return encoder.encode(`${JSON.stringify({ ...own, ...withoutUndefined(message) })}\n`);
  };
}

/** An absent field and an undefined one are the same. */
function withoutUndefined(message: Message): object {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
}
