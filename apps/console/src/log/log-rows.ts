import type { LogEntry } from '@plugin-config/client';

export const ROWS_MAX = 10_000;
const CHARACTERS_MAX = 16_000_000;
/** What stays when there are too many rows. Dropping many at once is rare, and so is its work. */
const KEPT = 0.8;

/** Entries of a log in the order of their times, oldest first, without a gap between them. */
export interface LogRows {
  readonly entries: readonly LogEntry[];
  /** The log has older entries, or may have. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export const NO_ROWS: LogRows = { entries: [], hasOlder: false, hasNewer: false };

/** The order of the listing, oldest first. Timestamps have one form, so their texts compare as their times do. */
export function inOrder(a: LogEntry, b: LogEntry): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The rows with further entries, each entry once. */
export function withEntries({ entries, ...rest }: LogRows, added: readonly LogEntry[]): LogRows {
  const sorted = added.toSorted(inOrder);
  const [last, first] = [entries.at(-1), sorted[0]];
  if (first === undefined) return { entries, ...rest };
  const isAfterAll = last === undefined || inOrder(last, first) < 0;
  const all = [...entries, ...sorted];
  return {
    ...rest,
    entries: onlyOnce(isAfterAll ? all : all.toSorted(inOrder), isAfterAll ? entries.length : 0),
  };
}

/** The rows with what has arrived. An entry before all of them is left out where older ones are missing, too. */
export function withArrivals(rows: LogRows, arrived: readonly LogEntry[]): LogRows {
  const [first] = rows.entries;
  if (first === undefined || !rows.hasOlder) return withEntries(rows, arrived);
  return withEntries(
    rows,
    arrived.filter((entry) => inOrder(entry, first) > 0),
  );
}

/** Whether the rows and so many more, of this many characters, would be too many. */
export function isTooMuch({ entries }: LogRows, added: readonly LogEntry[]): boolean {
  return (
    entries.length + added.length > ROWS_MAX || charactersOf(entries) + charactersOf(added) > CHARACTERS_MAX
  );
}

/** The rows without their oldest ones, so that `added` fit in. */
export function withoutOldest(rows: LogRows, added: readonly LogEntry[]): LogRows {
  const kept = fitting(rows.entries.toReversed(), added);
  return { ...rows, entries: rows.entries.slice(rows.entries.length - kept), hasOlder: true };
}

/** The rows without their newest ones, so that `added` fit in. */
export function withoutNewest(rows: LogRows, added: readonly LogEntry[]): LogRows {
  return { ...rows, entries: rows.entries.slice(0, fitting(rows.entries, added)), hasNewer: true };
}

/** How many of the first entries stay. */
function fitting(entries: readonly LogEntry[], added: readonly LogEntry[]): number {
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

/** Sorted entries without doubles; those before `from` have none. */
function onlyOnce(sorted: readonly LogEntry[], from: number): readonly LogEntry[] {
  return sorted.filter((entry, index) => {
    const before = index > from ? sorted[index - 1] : undefined;
    return before === undefined || inOrder(before, entry) !== 0;
  });
}
