import { isStorable } from '../kernel/text.ts';
import type { LogFilter } from './log-entry-store.ts';
import type { LogEntry } from './log-entry.ts';

/** Whether the entry matches the filter, by the same rules as the listing of a log. */
export function matchesFilter(
  entry: LogEntry,
  { types, source, instanceId, after, before, search }: LogFilter,
): boolean {
  return (
    (types.length === 0 || types.includes(entry.type)) &&
    (source === null || entry.source === source) &&
    (instanceId === null || entry.instanceId === instanceId) &&
    (after === null || entry.timestamp > after) &&
    (before === null || entry.timestamp < before) &&
    (search === null || (isStorable(search) && lowerCase(entry.message).includes(lowerCase(search))))
  );
}

/** Characters whose lower case depends on their neighbours, or has several characters. */
const SPECIAL = /[\u0130\u03A3]/;

/** Returns the text in lower case as searches compare it: character by character. */
export function lowerCase(text: string): string {
  if (!SPECIAL.test(text)) return text.toLowerCase();
  return Array.from(text, (character) => (character === '\u0130' ? 'i' : character.toLowerCase())).join('');
}

/** Whether the filter matches every entry. */
export function isEveryEntry({ types, ...filter }: LogFilter): boolean {
  return types.length === 0 && Object.values(filter).every((value) => value === null);
}
