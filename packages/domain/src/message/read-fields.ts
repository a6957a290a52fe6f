import { isLogWord, logType } from '../log/log-entry.ts';
import type { DeadReason } from './dead-reason.ts';
import { readInstant } from './read-instant.ts';
import type { AcceptedTimes } from '../log/log-days.ts';
import { sourceTime, type Address, type MessageOrigin } from './message.ts';
import { canonicalUuid, timeOfUuid } from './uuid.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

/** A JSON object with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>;

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

export function isTotal(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= INTEGER_MAX;
}

/** Reads an optional field, like the functions below: null if it is absent, undefined if it is invalid. */
function optionalId(value: unknown): number | null | undefined {
  if (value == null) return null;
  return isId(value) ? value : undefined;
}

export function optionalUuid(value: unknown): string | null | undefined {
  if (value == null) return null;
  return typeof value === 'string' ? (canonicalUuid(value) ?? undefined) : undefined;
}

export function optionalWord(value: unknown): string | null | undefined {
  if (value == null) return null;
  return typeof value === 'string' && isLogWord(value) ? value : undefined;
}

export function optionalType(value: unknown): string | null | undefined {
  if (value == null) return null;
  return typeof value === 'string' ? (logType(value) ?? undefined) : undefined;
}

/** Returns the record that a message names, even if the rest is invalid; null if it names none. */
export function recordIdIn({ plugin_config_id: id }: Fields): number | null {
  return isId(id) ? id : null;
}

export function readAddress({
  plugin_config_id: recordId,
  team_id,
  plugin_id,
}: Fields): Address | DeadReason {
  if (!isId(recordId)) return 'invalid_plugin_config_id';
  const projectId = optionalId(team_id);
  if (projectId === undefined) return 'invalid_team_id';
  const plugin = optionalId(plugin_id);
  return plugin === undefined ? 'invalid_plugin_id' : { recordId, projectId, plugin };
}

/** Returns the time of a message. If it has none, returns the time of the stream, of its id, or of its receipt, in this order. */
export function readTime(
  sent: unknown,
  id: string | null,
  origin: MessageOrigin,
  accepted: AcceptedTimes,
): number | DeadReason {
  const time =
    sent == null ? impliedTime(id, origin) : typeof sent === 'string' ? readInstant(sent) : Number.NaN;
  if (time === null) return 'id_without_time';
  if (Number.isNaN(time)) return 'invalid_timestamp';
  if (time > accepted.latest) return 'too_far_ahead';
  return time < accepted.earliest ? 'too_old' : time;
}

function impliedTime(id: string | null, origin: MessageOrigin): number | null {
  return id === null || origin.streamTime !== null ? sourceTime(origin) : timeOfUuid(id);
}
