import { DomainError } from '../kernel/domain-error.ts';
import { isStorable } from '../kernel/text.ts';
import type { LogFilter } from './log-entry-store.ts';
import type { LogEntry } from './log-entry.ts';

/** Returns whether an entry matches the filter, by the same rules as the listing of a log. */
export function matchesFilter({
  types,
  source,
  instanceId,
  after,
  before,
  search,
}: LogFilter): (entry: LogEntry) => boolean {
  const wanted = new Set(types);
  const text = search === null ? null : lowerCase(search);
  const isFindable = search === null || isStorable(search);
  return (entry) =>
    isFindable &&
    (wanted.size === 0 || wanted.has(entry.type)) &&
    (source === null || entry.source === source) &&
    (instanceId === null || entry.instanceId === instanceId) &&
    (after === null || entry.timestamp > after) &&
    (before === null || entry.timestamp < before) &&
    (text === null || loweredMessage(entry).includes(text));
}

/** Cached, because hundreds of streams may search the same entries. */
const lowered = new WeakMap<LogEntry, string>();

function loweredMessage(entry: LogEntry): string {
  const known = lowered.get(entry);
  if (known !== undefined) return known;
  const message = lowerCase(entry.message);
  lowered.set(entry, message);
  return message;
}

/**
 * Returns the text in lower case, character by character, as searches compare it. The two replaced characters are the
 * only characters whose lower case has several characters or depends on their neighbours.
 */
export function lowerCase(text: string): string {
  return text
    .replaceAll(/\u0130/g, 'i')
    .replaceAll(/\u03A3/g, '\u03C3')
    .toLowerCase();
}

export function isEveryEntry({ types, ...filter }: LogFilter): boolean {
  return types.length === 0 && Object.values(filter).every((value) => value === null);
}

/** The error of a search that exceeds its time limit. */
export function searchTooLong(filter: LogFilter, cause: unknown): DomainError {
  const { search, instanceId, types, source } = filter;
  const isOfKinds = search === null && instanceId === null && (types.length > 0 || source !== null);
  const attr = isOfKinds ? (types.length > 0 ? 'type_filter' : 'source') : 'search';
  const operation = isEveryEntry(filter) ? 'Reading the log' : 'The search';
  const message = `${operation} takes too long; narrow it with after and before.`;
  return new DomainError('invalid_input', message, { attr, cause });
}
