import type { LogEntry, LogRef, Page } from '@plugin-config/domain';
import type pg from 'pg';
import { HOUR_MS } from '../hours/hour-counts.ts';
import type { Kinds } from '../entries/wanted-kinds.ts';
import { countFrom } from './count-from.ts';
import { ENTRY, entryOf, type PageOfEntries } from './entry-columns.ts';
import { findStart } from './find-start.ts';
import { readEntries } from './read-entries.ts';

/**
 * Reads a page with the help of the counters. Beside the entries that it shows, it reads those of three hours at most: where it
 * starts, and those that contain `after` and `before`.
 */
export async function countedPage(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter: { after, before }, page: { limit, offset } }: PageOfEntries,
): Promise<Page<LogEntry>> {
  const newer = before === null ? 0 : await countFrom(client, record, kinds, before.getTime());
  const start = await findStart(client, record, kinds, { skip: newer + offset, limit });
  const earliest = after === null ? null : after.getTime() + 1;
  const until = earliest === null ? start.total : await countFrom(client, record, kinds, earliest);
  const count = Math.max(0, until - newer);
  const wanted = Math.min(limit, count - offset);
  if (start.hour === null || wanted <= 0) return { count, items: [] };
  const rows = await readEntries(client, {
    record,
    kinds,
    to: start.hour.getTime() + HOUR_MS,
    earliest: Math.max(earliest ?? 0, start.lastHour?.getTime() ?? 0),
    skip: start.rest,
    limit: wanted,
  });
  return { count, items: rows.map((row) => entryOf(ENTRY.read(row), record)) };
}
