import { isObject, pointerTo } from './document.ts';
import { fieldsOf } from './event-blocks.ts';
import type { SchemaCheck } from './schema-check.ts';

export const EVENT_STREAM = 'text/event-stream';

interface Content {
  readonly check: SchemaCheck;
  /** The pointer to the response's content. */
  readonly pointer: string;
  readonly content: unknown;
}

/** Returns why a body, or one event of a stream, does not match the described content; null if it does. */
export function checkBody({ check, pointer, content }: Content, type: string, text: string): string | null {
  if (!isObject(content)) return noBody(text);
  const media = content[type];
  if (!isObject(media)) return `the content type "${type}" is not described`;
  const at = pointerTo(pointer, type);
  if (type === EVENT_STREAM) return checkEvent(check, { at, events: media['x-events'] }, text);
  if (type === 'application/json') return checkJson(check, `${at}/schema`, text);
  const reason = check(`${at}/schema`, [text]);
  return reason === null ? null : `the body ${reason}`;
}

export function noBody(text: string): string | null {
  return text === '' ? null : 'a body is not expected';
}

export function checkJson(
  check: SchemaCheck,
  schema: string,
  text: string,
  what = 'the body',
): string | null {
  try {
    const reason = check(schema, [JSON.parse(text)]);
    return reason === null ? null : `${what} ${reason}`;
  } catch (error) {
    if (error instanceof SyntaxError) return `${what} is not JSON`;
    throw error;
  }
}

/** Checks an event. The document describes the data of each event under `x-events`, because OpenAPI 3.1 has no streams. */
function checkEvent(
  check: SchemaCheck,
  { at, events }: { readonly at: string; readonly events: unknown },
  text: string,
): string | null {
  const { event, data } = fieldsOf(text);
  if (data === undefined) return null;
  if (event === undefined || !isObject(events) || events[event] === undefined)
    return `the event "${event}" is not described`;
  return checkJson(check, pointerTo(at, 'x-events', event), data, `the data of "${event}"`);
}
