import type { DeliveryMessage, ErrorMessage, LogMessage } from '../wire/message.ts';
import { uuid7Source } from '../uuid7.ts';

/** What a sender takes. A missing id or timestamp is filled in, so that sending again does not store it twice. */
export type Message =
  | LogMessage
  | (Omit<DeliveryMessage, 'id'> & Partial<Pick<DeliveryMessage, 'id'>>)
  | ErrorMessage;

/** One line of NDJSON. */
export type Line = Uint8Array<ArrayBuffer>;

/** Writes messages as lines. A message that has an id keeps the time that goes with it, given or inside the id. */
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
