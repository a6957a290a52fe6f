import type { LogEntry, LogFilter, LogQuery, Page } from '@plugin-config/client';
import { NO_ROWS, withEntries, type LogRows } from './log-rows.ts';

/** Reads one page of the listing, newest first. */
export type ReadPage = (query: LogQuery) => Promise<Page<LogEntry>>;

/** The entries of a read, and whether they are the last in its direction. */
export interface FoundEntries {
  readonly entries: readonly LogEntry[];
  readonly isAll: boolean;
}

const LIMIT = 500;
const LIMIT_MAX = 1000;

export async function readNewest(read: ReadPage, filter: LogFilter): Promise<LogRows> {
  const { results, next } = await read({ ...filter, limit: LIMIT });
  return withEntries({ ...NO_ROWS, hasOlder: next !== null }, results);
}

/** Where a read continues: at this time, with this many entries already known. */
interface Edge {
  readonly timestamp: string;
  readonly known: number;
}

/**
 * Reads the entries at the edge and before it. It may return known entries again but never skips any, even if new entries are
 * stored in the meantime.
 */
export async function readOlder(
  read: ReadPage,
  filter: LogFilter,
  { timestamp, known }: Edge,
): Promise<FoundEntries> {
  const before = earlier(filter.before, shifted(timestamp, 1));
  const { results, next } = await read({ ...filter, before, limit: LIMIT, offset: offsetAfter(known) });
  return { entries: results, isAll: next === null };
}

/**
 * Reads the oldest entries at the edge and after it. The listing starts with the newest entry, so this requests
 * its end, and repeats if new entries have shifted it.
 */
export async function readNewer(
  read: ReadPage,
  filter: LogFilter,
  { timestamp, known }: Edge,
): Promise<FoundEntries> {
  const query = { ...filter, after: later(filter.after, shifted(timestamp, -1)), limit: LIMIT_MAX };
  let wanted = LIMIT;
  for (let offset = 0; ;) {
    const { results, count } = await read({ ...query, offset });
    const left = count - offset - results.length;
    if (left <= offsetAfter(known)) return { entries: results, isAll: offset === 0 };
    // A page of long messages is shorter than its limit.
    if (results.length < LIMIT_MAX) wanted = Math.max(1, Math.min(wanted, Math.floor(results.length / 2)));
    offset = Math.max(0, count - offsetAfter(known) - wanted);
  }
}

/** Small numbers of known entries are read again rather than skipped. */
const offsetAfter = (known: number): number => (known > LIMIT / 2 ? known : 0);

/** Reads the entries at a time, and some before and after it. */
export async function readAround(read: ReadPage, filter: LogFilter, timestamp: string): Promise<LogRows> {
  const older = await readOlder(read, filter, { timestamp, known: 0 });
  const newer = await readNewer(read, filter, { timestamp, known: 0 });
  const rows = { ...NO_ROWS, hasOlder: !older.isAll, hasNewer: !newer.isAll };
  return withEntries(rows, [...older.entries, ...newer.entries]);
}

export function edgeOf(entries: readonly LogEntry[]): Edge | null {
  const [first] = entries;
  if (first === undefined) return null;
  const end = entries.findIndex(({ timestamp }) => timestamp !== first.timestamp);
  return { timestamp: first.timestamp, known: end === -1 ? entries.length : end };
}

function shifted(timestamp: string, milliseconds: number): string {
  return new Date(Date.parse(timestamp) + milliseconds).toISOString();
}

function earlier(bound: Date | string | undefined, timestamp: string): string {
  return bound !== undefined && timeOf(bound) < timeOf(timestamp) ? String(bound) : timestamp;
}

function later(bound: Date | string | undefined, timestamp: string): string {
  return bound !== undefined && timeOf(bound) > timeOf(timestamp) ? String(bound) : timestamp;
}

const timeOf = (moment: Date | string): number => new Date(moment).getTime();
