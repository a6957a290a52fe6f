import type { LogEntry } from '@plugin-config/client';

export const ROWS_MAX = 10_000;
const CHARACTERS_MAX = 16_000_000;
/** The share of rows that stays when there are too many. Dropping many at once makes it rare. */
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
export function withEntries({ entries, ...rest }: LogRows, added: readonly LogEntry[]): LogRows {
  const sorted = added.toSorted(compareEntries);
  const [last, first] = [entries.at(-1), sorted[0]];
  if (first === undefined) return { entries, ...rest };
  const isAfterAll = last === undefined || compareEntries(last, first) < 0;
  const all = [...entries, ...sorted];
  return {
    ...rest,
    entries: withoutDuplicates(
      isAfterAll ? all : all.toSorted(compareEntries),
      isAfterAll ? entries.length : 0,
    ),
  };
}

/** Adds new entries to the rows, except those before the first row if entries in between are missing. */
export function withNewEntries(rows: LogRows, added: readonly LogEntry[]): LogRows {
  const [first] = rows.entries;
  if (first === undefined || !rows.hasOlder) return withEntries(rows, added);
  return withEntries(
    rows,
    added.filter((entry) => compareEntries(entry, first) > 0),
  );
}

/** Whether the rows with these additions would be too many or too large. */
export function exceedsLimits({ entries }: LogRows, added: readonly LogEntry[]): boolean {
  return (
    entries.length + added.length > ROWS_MAX || charactersOf(entries) + charactersOf(added) > CHARACTERS_MAX
  );
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
  const rows = Math.min(KEPT * ROWS_MAX, ROWS_MAX - added.length);
  let characters = Math.min(KEPT * CHARACTERS_MAX, CHARACTERS_MAX - charactersOf(added));
  const end = entries.findIndex((entry, index) => {
    characters -= entry.message.length;
    return index >= rows || characters < 0;
  });
  return end === -1 ? entries.length : end;
}

function charactersOf(entries: readonly LogEntry[]): number {
  let sum = 0;
  for (const { message } of entries) sum += message.length;
  return sum;
}

/** Removes duplicates from sorted entries; there are none before `from`. */
function withoutDuplicates(sorted: readonly LogEntry[], from: number): readonly LogEntry[] {
  return sorted.filter((entry, index) => {
    const before = index > from ? sorted[index - 1] : undefined;
    return before === undefined || compareEntries(before, entry) !== 0;
  });
}
