import type { LogEntry, Page } from '@plugin-config/domain';
import type pg from 'pg';
import { countFrom } from './count-from.ts';
import { ENTRY, entryOf, type LogOfRecord, type PageOfEntries } from './entry-columns.ts';
import { findStart, type LogDay } from './find-start.ts';
import { readEntries } from './read-entries.ts';
import type { KindIndexes } from '../kinds/wanted-kinds.ts';

/** Reads a page with the help of the counters. The only entries read before it are those in its first block. */
export async function countedPage(
  client: pg.ClientBase,
  log: LogOfRecord,
  kindIndexes: KindIndexes,
  { filter, page: { limit, offset } }: PageOfEntries,
): Promise<Page<LogEntry>> {
  const newer =
    filter.before === null ? 0 : await countFrom(client, log, kindIndexes, filter.before.getTime());
  const { days, start } = await findStart(client, log, kindIndexes, newer + offset);
  const earliest = filter.after === null ? null : filter.after.getTime() + 1;
  const until = earliest === null ? totalOf(days) : await countFrom(client, log, kindIndexes, earliest);
  const count = days.length === 0 ? 0 : Math.max(0, until - newer);
  const wanted = Math.min(limit, count - offset);
  if (start === null || wanted <= 0) return { count, items: [] };
  const rows = await readEntries(client, {
    record: log,
    kindIndexes,
    bounds: start.bounds,
    earliest: Math.max(earliest ?? 0, oldestNeeded(days, newer + offset + wanted)),
    skip: start.rest,
    limit: wanted,
  });
  return { count, items: rows.map((row) => entryOf(ENTRY.read(row), log)) };
}

function totalOf(days: readonly LogDay[]): number {
  return days.reduce((sum, { matches }) => sum + matches, 0);
}

/** The start of the day on which the newest matches reach this number. */
function oldestNeeded(days: readonly LogDay[], matches: number): number {
  let sum = 0;
  return days.find((day) => (sum += day.matches) >= matches)?.start ?? 0;
}
