import { isStorable } from '../kernel/text.ts';
import type { LogFilter } from './log-entry-store.ts';
import type { LogEntry } from './log-entry.ts';

/** Whether the filter admits the entry. The listing of a log follows the same rules. */
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

/** The characters whose lower case depends on their neighbours, or is not a single one. */
const SPECIAL = /[\u0130\u03A3]/;

/** The text as a search compares it: in lower case, each character on its own. */
export function lowerCase(text: string): string {
  if (!SPECIAL.test(text)) return text.toLowerCase();
  return Array.from(text, (character) => (character === '\u0130' ? 'i' : character.toLowerCase())).join('');
}

/** Whether the filter admits every entry. */
export function isEveryEntry({ types, ...filter }: LogFilter): boolean {
  return types.length === 0 && Object.values(filter).every((value) => value === null);
}
