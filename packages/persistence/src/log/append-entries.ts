import { startOfDay, type AppendOutcomes, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { byKey, isSameEntry, type EntryRow } from './entries/entry-row.ts';
import type { InsertEntries } from './entries/insert-entries.ts';
import { kindName } from './kinds/kinds.ts';
import { indexKinds, type KindIndex } from './kinds/log-kinds.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { incrementBlocks } from './blocks/increment-blocks.ts';

/**
 * Begins a transaction that writes logs. No day can be dropped before it ends. Such transactions lock in one order:
 * dead letters, kinds, entries, blocks, followed logs, errors, families, records, due rates, delivery ids, sums of deliveries, new dead
 * letters.
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
  const kept = entries.filter((_, index) => outcomes[index] !== 'too_old');
  if (kept.length === 0) return outcomes;
  const kindOf = await indexKinds(client, kept);
  const rows: IndexedRow[] = [];
  for (const [index, entry] of entries.entries()) {
    if (outcomes[index] !== 'too_old') rows.push(rowOf(entry, index, kindOf(entry)));
  }
  const inserted = await insert(client, sortedOnce(rows));
  if (inserted.length > 0) await incrementBlocks(client, inserted);
  for (const { index } of inserted) outcomes[index] = 'stored';
  return outcomes;
}

/** `index`: the index of the entry in the batch. */
interface IndexedRow extends EntryRow {
  readonly index: number;
}

function rowOf(
  { recordId, timestamp, id, instanceId, plugin, source, type, message }: LogEntry,
  index: number,
  { index: kind, isShared }: KindIndex,
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
    kind,
    sourceType: isShared ? kindName({ source, type }) : null,
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
