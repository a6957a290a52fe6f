import type { LogEntry, LogFilter, LogQuery, Page } from '@plugin-config/client';
import { NO_ROWS, withEntries, type LogRows } from './log-rows.ts';

/** Reads one page of the listing, newest first. */
export type ReadPage = (query: LogQuery) => Promise<Page<LogEntry>>;

/** What a read has found, and whether there is nothing further in its direction. */
export interface Found {
  readonly entries: readonly LogEntry[];
  readonly isAll: boolean;
}

const LIMIT = 500;
const LIMIT_MAX = 1000;

export async function readNewest(read: ReadPage, filter: LogFilter): Promise<LogRows> {
  const { results, next } = await read({ ...filter, limit: LIMIT });
  return withEntries({ ...NO_ROWS, hasOlder: next !== null }, results);
}

/** Where a read goes on: at this time, of which so many entries are known. */
interface Edge {
  readonly timestamp: string;
  readonly known: number;
}

/**
 * The entries at the time of the edge and before it. Some of those that are known may be found again, but none is left
 * out, whatever arrives meanwhile.
 */
export async function readOlder(
  read: ReadPage,
  filter: LogFilter,
  { timestamp, known }: Edge,
): Promise<Found> {
  const before = earlier(filter.before, shifted(timestamp, 1));
  const { results, next } = await read({ ...filter, before, limit: LIMIT, offset: skipped(known) });
  return { entries: results, isAll: next === null };
}

/**
 * The oldest of the entries at the time of the edge and after it. The listing begins with the newest, so its end is asked
 * for, again if new entries have moved it.
 */
export async function readNewer(
  read: ReadPage,
  filter: LogFilter,
  { timestamp, known }: Edge,
): Promise<Found> {
  const query = { ...filter, after: later(filter.after, shifted(timestamp, -1)), limit: LIMIT_MAX };
  let wanted = LIMIT;
  for (let offset = 0; ;) {
    const { results, count } = await read({ ...query, offset });
    const left = count - offset - results.length;
    if (left <= skipped(known)) return { entries: results, isAll: offset === 0 };
    // Long messages make a page shorter than its limit.
    if (results.length < LIMIT_MAX) wanted = Math.max(1, Math.min(wanted, Math.floor(results.length / 2)));
    offset = Math.max(0, count - skipped(known) - wanted);
  }
}

/** Few are read again rather than skipped. */
const skipped = (known: number): number => (known > LIMIT / 2 ? known : 0);

/** The entries at a time, and those before and after it. */
export async function readAround(read: ReadPage, filter: LogFilter, timestamp: string): Promise<LogRows> {
  const older = await readOlder(read, filter, { timestamp, known: 0 });
  const newer = await readNewer(read, filter, { timestamp, known: 0 });
  const rows = { ...NO_ROWS, hasOlder: !older.isAll, hasNewer: !newer.isAll };
  return withEntries(rows, [...older.entries, ...newer.entries]);
}

/** The edge of entries whose first one is at the end where the read goes on. */
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

function timeOf(moment: Date | string): number {
  return moment instanceof Date ? moment.getTime() : Date.parse(moment);
}
