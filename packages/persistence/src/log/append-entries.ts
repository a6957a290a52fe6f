import { startOfDay, type AppendReport, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { byKey, isSameEntry, type EntryRow } from './entry-row.ts';
import type { InsertEntries } from './insert-entries.ts';
import { nameOf } from './kinds.ts';
import { placeKinds, type KindPlace } from './log-kinds.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { raiseBlocks } from './raise-blocks.ts';

/**
 * Begins a transaction that writes logs. Whoever drops a day waits for its end, so the days that there are do not change
 * meanwhile. Such a transaction takes its locks in one order: dead letters, kinds, entries, blocks, errors, families,
 * records, ids of deliveries, deliveries, sums, rates that are due, new dead letters.
 */
export const TO_WRITE_LOGS = `begin; ${ROW_BY_ROW}; lock table only log_entry in row exclusive mode`;

interface Options {
  readonly insert: InsertEntries;
  /** The start of the oldest day that is not dropped. */
  readonly earliest: number;
}

/**
 * Stores the entries that are not stored yet, and counts them, within a transaction that writes logs. The partitions of
 * their days must have been prepared.
 */
export async function appendEntries(
  client: pg.ClientBase,
  { insert, earliest }: Options,
  entries: readonly LogEntry[],
): Promise<AppendReport> {
  const report: AppendReport[number][] = entries.map(({ timestamp }) =>
    timestamp.getTime() < earliest ? 'too_old' : 'duplicate',
  );
  const kept = entries.filter((_, index) => report[index] !== 'too_old');
  if (kept.length === 0) return report;
  const place = await placeKinds(client, kept);
  const rows: IndexedRow[] = [];
  for (const [index, entry] of entries.entries()) {
    if (report[index] !== 'too_old') rows.push(rowOf(entry, index, place(entry)));
  }
  const inserted = await insert(client, sortedOnce(rows));
  if (inserted.length > 0) await raiseBlocks(client, inserted);
  for (const { index } of inserted) report[index] = 'stored';
  return report;
}

/** `index`: which of the entries it is. */
interface IndexedRow extends EntryRow {
  readonly index: number;
}

function rowOf(
  { recordId, timestamp, id, instanceId, plugin, source, type, message }: LogEntry,
  index: number,
  { place, isShared }: KindPlace,
): IndexedRow {
  const time = timestamp.getTime();
  return {
    index,
    day: startOfDay(time),
    recordId,
    timestamp: time,
    id,
    instanceId,
    plugin,
    kind: place,
    sourceType: isShared ? nameOf({ source, type }) : null,
    message,
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
