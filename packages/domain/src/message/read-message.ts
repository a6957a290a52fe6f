import type { DeadReason } from './dead-reason.ts';
import {
  MESSAGE_TEXT_MAX,
  deadMessage,
  type DeadMessage,
  type Message,
  type MessageOrigin,
} from './message.ts';
import { readDelivery } from './read-delivery.ts';
import { readEntry } from './read-entry.ts';
import { readError } from './read-error.ts';
import { isObject, type Fields } from './read-fields.ts';
import type { ArrivedMessage, MessageContext } from './message-context.ts';

/** Parses a message. Without a kind it is a log entry. */
export function readMessage(text: string, origin: MessageOrigin, context: MessageContext): Message {
  const dead = (reason: DeadReason): DeadMessage =>
    deadMessage({ text, origin, position: context.position() }, reason);
  if (text.length > MESSAGE_TEXT_MAX) return dead('too_long');
  const value = parse(text);
  if (value === undefined) return dead('not_json');
  if (!isObject(value)) return dead('not_an_object');
  const message = readKind(value, { text, origin, context });
  return typeof message === 'string' ? dead(message) : message;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readKind(
  fields: Fields,
  arrival: ArrivedMessage,
): ReturnType<typeof readEntry | typeof readDelivery | typeof readError> {
  const { kind } = fields;
  if (kind == null) return readEntry(fields, arrival);
  if (kind === 'delivery') return readDelivery(fields, arrival);
  return kind === 'error' ? readError(fields, arrival) : 'unknown_kind';
}
