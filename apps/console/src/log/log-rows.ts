import type { LogEntry } from '@plugin-config/client';

/** The maximum size of all rows, and therefore their maximum number. */
export const ROWS_MAX = 10_000;
/** A long message counts as one more row per this many characters. */
const ROW_CHARACTERS = 1600;
/** The share of rows that stays when there are too many. Dropping many at once makes drops rare. */
const KEPT = 0.8;

/** Consecutive entries of a log, oldest first. */
export interface LogRows {
  readonly entries: readonly LogEntry[];
  /** Whether the log has, or may have, older entries. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export const NO_ROWS: LogRows = { entries: [], hasOlder: false, hasNewer: false };

/** The order of the listing, reversed. Timestamps have a uniform format, so they compare as strings. */
export function compareEntries(a: LogEntry, b: LogEntry): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** Adds entries to the rows, without duplicates. */
export function withEntries(rows: LogRows, added: readonly LogEntry[]): LogRows {
  if (added.length === 0) return rows;
  const all = [...rows.entries, ...added].toSorted(compareEntries);
  return { ...rows, entries: all.filter(({ id }, index) => id !== all[index - 1]?.id) };
}

/** Adds new entries to the rows, except those before the first row if entries in between are missing. */
export function withNewEntries(rows: LogRows, added: readonly LogEntry[]): LogRows {
  const [first] = rows.entries;
  if (first === undefined || !rows.hasOlder) return withEntries(rows, added);
  const newer = added.filter((entry) => compareEntries(entry, first) > 0);
  return withEntries(rows, newer);
}

/** Whether the rows with these additions would be too many or too large. */
export function exceedsLimits({ entries }: LogRows, added: readonly LogEntry[]): boolean {
  return sizeOf(entries) + sizeOf(added) > ROWS_MAX;
}

/** Drops the oldest rows to make room for `added`. */
export function withoutOldest(rows: LogRows, added: readonly LogEntry[]): LogRows {
  const kept = countThatFits(rows.entries.toReversed(), added);
  return { ...rows, entries: rows.entries.slice(rows.entries.length - kept), hasOlder: true };
}

/** Drops the newest rows to make room for `added`. */
export function withoutNewest(rows: LogRows, added: readonly LogEntry[]): LogRows {
  return { ...rows, entries: rows.entries.slice(0, countThatFits(rows.entries, added)), hasNewer: true };
}

/** Returns how many of the first entries can stay. */
function countThatFits(entries: readonly LogEntry[], added: readonly LogEntry[]): number {
  let room = Math.min(KEPT * ROWS_MAX, ROWS_MAX - sizeOf(added));
  const end = entries.findIndex((entry) => (room -= sizeOf([entry])) < 0);
  return end === -1 ? entries.length : end;
}

export const sizeOf = (entries: readonly LogEntry[]): number =>
  entries.reduce((size, { message }) => size + 1 + message.length / ROW_CHARACTERS, 0);
