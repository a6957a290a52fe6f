import { scanJson } from '../kernel/exact-json.ts';
import { isObject } from '../kernel/json.ts';
import type { DeadReason } from './dead-reason.ts';
import {
  MESSAGE_TEXT_MAX,
  deadMessage,
  type DeadMessage,
  type Message,
  type SourceMessage,
} from './message.ts';
import { readDelivery, readError } from './read-report.ts';
import { readEntry } from './read-entry.ts';
import { recordIdIn, type Fields } from './read-fields.ts';
import type { MessageContext } from './message-context.ts';

/**
 * `JSON.parse` takes 60 ms per MiB of nested lists, so longer texts may have at most `LONG_TEXT_VALUES` values.
 */
const LONG_TEXT = 16 * 1024;
const LONG_TEXT_VALUES = 10_000;

/** Parses a message. Without a kind, it is a log entry. */
export function readMessage(source: SourceMessage, context: MessageContext): Message {
  const { text } = source;
  const dead = (reason: DeadReason): DeadMessage => deadMessage(source, reason);
  if (text.length > MESSAGE_TEXT_MAX) return dead('too_long');
  if (text.length > LONG_TEXT && scanJson(text).values > LONG_TEXT_VALUES) return dead('too_long');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return dead('not_json');
  }
  if (!isObject(value)) return dead('not_an_object');
  const message = readKind(value, source, context);
  return typeof message === 'string' ? deadMessage(source, message, recordIdIn(value)) : message;
}

function readKind(
  fields: Fields,
  source: SourceMessage,
  context: MessageContext,
): ReturnType<typeof readEntry | typeof readDelivery | typeof readError> {
  const { kind } = fields;
  if (kind == null) return readEntry(fields, source, context);
  if (kind === 'delivery') return readDelivery(fields, source, context);
  return kind === 'error' ? readError(fields, source, context) : 'unknown_kind';
}
