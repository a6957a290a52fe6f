import { startOfDay, type AppendOutcomes, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import type { LogEdges } from './days/log-days.ts';
import { areInPostgres } from './entries/are-in-postgres.ts';
import { byKey, isSameEntry, type EntryRow } from './entries/entry-row.ts';
import type { InsertEntries } from './entries/insert-entries.ts';
import { incrementHours } from './hours/increment-hours.ts';
import { kindOf, sourceTypeOf } from './entries/kinds.ts';
import type { FindLate } from './late-entries.ts';

/** The transaction of a batch is idle while late entries are looked up (`late-entries.ts`). */
const IDLE_MS = 10_000;

/**
 * Begins a transaction that writes logs. No day can be moved or dropped until it ends. To avoid deadlocks, these transactions
 * lock in this order: dead letters, the usage of projects with a quota, entries, hours, followed logs, errors, families, records,
 * due rates, delivery ids, sums of deliveries, the usage of other projects, new dead letters.
 */
export const TO_WRITE_LOGS = `begin; ${ROW_BY_ROW}; set local idle_in_transaction_session_timeout = ${IDLE_MS}; lock table only log_entry in row exclusive mode`;

interface Options {
  readonly insert: InsertEntries;
  readonly findLate: FindLate;
  readonly edges: LogEdges;
}

/**
 * Stores and counts the new entries, within a transaction that writes logs. The partitions of their days must exist.
 * @throws UnpreparedDays as `FindLate`
 */
export async function appendEntries(
  client: pg.ClientBase,
  { insert, findLate, edges }: Options,
  entries: readonly LogEntry[],
): Promise<AppendOutcomes> {
  const late = await findLate(client, entries, edges);
  const rows: IndexedRow[] = [];
  const outcomes: AppendOutcomes[number][] = entries.map((entry, index) => {
    if (entry.timestamp.getTime() < edges.earliest) return 'too_old';
    if (late.isUnknown(entry)) return 'unavailable';
    if (!late.isStored(entry)) rows.push(rowOf(entry, index));
    return 'duplicate';
  });
  if (rows.length === 0) return outcomes;
  const inserted = await insert(client, sortedOnce(rows));
  if (inserted.length > 0) await incrementHours(client, inserted);
  for (const { index } of inserted) outcomes[index] = 'stored';
  return outcomes;
}

/** Returns whether each entry is stored. Those for which that is unknown count as stored. */
export async function areStored(
  client: pg.ClientBase,
  { findLate, edges }: Omit<Options, 'insert'>,
  entries: readonly LogEntry[],
): Promise<readonly boolean[]> {
  const inPostgres = await areInPostgres(client, entries);
  const late = await findLate(client, entries, edges);
  return entries.map((entry, at) => inPostgres[at] === true || late.isStored(entry) || late.isUnknown(entry));
}

interface IndexedRow extends EntryRow {
  /** The index of the entry in the batch. */
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
    sourceType: sourceTypeOf({ source, type }),
    message,
  };
}

/** Sorts the rows and drops duplicates. */
function sortedOnce<R extends EntryRow>(rows: readonly R[]): readonly R[] {
  const sorted = rows.toSorted(byKey);
  return sorted.filter((row, i) => {
    const previous = sorted[i - 1];
    return previous === undefined || !isSameEntry(previous, row);
  });
}
