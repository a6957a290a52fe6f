import { startOfDay } from '@plugin-config/domain';
import type pg from 'pg';
import { byKey, isSameEntry, type EntryRow } from './entry-row.ts';
import type { InsertEntries } from './insert-entries.ts';
import { nameOf } from './kinds.ts';
import { placeKinds, type KindPlace } from './log-kinds.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { raiseBlocks } from './raise-blocks.ts';

/**
 * Whoever writes logs holds this from the start, and whoever drops a day waits for it: which days there are does not
 * change in between. What a transaction locks, it locks in one order: dead letters, errors, families, records,
 * kinds, entries, blocks, ids of reports, reports, sums, rates that are due, new dead letters.
 */
export const TO_WRITE_LOGS = `begin; ${ROW_BY_ROW}; lock table only log_entry in row exclusive mode`;

/** An entry before it is stored. */
export interface NewEntry {
  readonly recordId: number;
  readonly timestamp: number;
  readonly id: string;
  readonly instanceId: string;
  readonly plugin: number;
  readonly source: string;
  readonly type: string;
  readonly message: string;
}

/** Stores the entries that are not stored yet and counts them. Answers those that it stored. */
export async function writeEntries<E extends NewEntry>(
  client: pg.ClientBase,
  insert: InsertEntries,
  entries: readonly E[],
): Promise<readonly E[]> {
  if (entries.length === 0) return [];
  const place = await placeKinds(client, entries);
  const rows = await insert(client, sortedOnce(entries.map((entry) => rowOf(entry, place(entry)))));
  if (rows.length > 0) await raiseBlocks(client, rows);
  return rows.map(({ of }) => of);
}

interface RowOf<E> extends EntryRow {
  readonly of: E;
}

function rowOf<E extends NewEntry>(entry: E, { place, isShared }: KindPlace): RowOf<E> {
  const { recordId, timestamp, id, instanceId, plugin, message } = entry;
  return {
    day: startOfDay(timestamp),
    recordId,
    timestamp,
    id,
    instanceId,
    plugin,
    kind: place,
    sourceType: isShared ? nameOf(entry) : null,
    message,
    of: entry,
  };
}

/** Sorted, and of several that are the same the first. */
function sortedOnce<R extends EntryRow>(rows: readonly R[]): readonly R[] {
  const sorted = rows.toSorted(byKey);
  return sorted.filter((row, i) => {
    const previous = sorted[i - 1];
    return previous === undefined || !isSameEntry(previous, row);
  });
}
