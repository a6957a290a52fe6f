import { startOfDay, type AppendOutcomes, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { byKey, isSameEntry, type EntryRow } from './entries/entry-row.ts';
import type { InsertEntries } from './entries/insert-entries.ts';
import { kindOf, otherWords } from './entries/kinds.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { incrementHours } from './hours/increment-hours.ts';

/**
 * Begins a transaction that writes logs. No day can be dropped before it ends. Such transactions lock in one order:
 * dead letters, the usage of projects with a quota, entries, hours, followed logs, errors, families, records, due rates, delivery
 * ids, sums of deliveries, the usage of other projects, new dead letters.
 */
export const TO_WRITE_LOGS = `begin; ${ROW_BY_ROW}; lock table only log_entry in row exclusive mode`;

interface Options {
  readonly insert: InsertEntries;
  /** The start of the oldest day that is not dropped. */
  readonly earliest: number;
}

/**
 * Stores the entries that are not stored yet, and counts them, within a transaction that writes logs. The partitions of
 * their days must exist.
 */
export async function appendEntries(
  client: pg.ClientBase,
  { insert, earliest }: Options,
  entries: readonly LogEntry[],
): Promise<AppendOutcomes> {
  const outcomes: AppendOutcomes[number][] = entries.map(({ timestamp }) =>
    timestamp.getTime() < earliest ? 'too_old' : 'duplicate',
  );
  const rows: IndexedRow[] = [];
  for (const [index, entry] of entries.entries()) {
    if (outcomes[index] !== 'too_old') rows.push(rowOf(entry, index));
  }
  if (rows.length === 0) return outcomes;
  const inserted = await insert(client, sortedOnce(rows));
  if (inserted.length > 0) await incrementHours(client, inserted);
  for (const { index } of inserted) outcomes[index] = 'stored';
  return outcomes;
}

/** `index`: the index of the entry in the batch. */
interface IndexedRow extends EntryRow {
  readonly index: number;
  readonly projectId: number;
}

function rowOf(
  { projectId, recordId, timestamp, id, instanceId, plugin, source, type, message }: LogEntry,
  index: number,
): IndexedRow {
  const time = timestamp.getTime();
  return {
    index,
    projectId,
    day: startOfDay(time),
    recordId,
    timestamp: time,
    id,
    instanceId,
    plugin,
    kind: kindOf({ source, type }),
    sourceType: otherWords({ source, type }),
    message,
  };
}

/** Sorts the rows and keeps the first of equal ones. */
function sortedOnce<R extends EntryRow>(rows: readonly R[]): readonly R[] {
  const sorted = rows.toSorted(byKey);
  return sorted.filter((row, i) => {
    const previous = sorted[i - 1];
    return previous === undefined || !isSameEntry(previous, row);
  });
}
