import type pg from 'pg';
import { byKey, isSameEntry, type EntryRow } from './entry-row.ts';
import type { InsertEntries } from './insert-entries.ts';
import { countingPlaces } from './log-kinds.ts';
import { raiseBlocks } from './raise-blocks.ts';

/**
 * Whoever writes logs holds this from the start, and whoever drops a day waits for it: which days there are does not
 * change in between. What a transaction locks, it locks in one order: dead letters, families, records, entries, kinds,
 * blocks, reports, sums, rates that are due.
 */
export const TO_WRITE_LOGS = 'begin; lock table only log_entry in row exclusive mode';

/** Stores the rows that are not stored yet and counts them. Answers those that it stored. */
export async function writeEntries<R extends EntryRow>(
  client: pg.ClientBase,
  insert: InsertEntries,
  given: readonly R[],
): Promise<readonly R[]> {
  if (given.length === 0) return [];
  const rows = await insert(client, sortedOnce(given));
  if (rows.length > 0) await raiseBlocks(client, { rows, places: await countingPlaces(client, rows) });
  return rows;
}

/** Sorted, and of several that are the same the first. */
function sortedOnce<R extends EntryRow>(rows: readonly R[]): readonly R[] {
  const sorted = rows.toSorted(byKey);
  return sorted.filter((row, i) => {
    const previous = sorted[i - 1];
    return previous === undefined || !isSameEntry(previous, row);
  });
}
