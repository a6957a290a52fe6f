import { startOfDay, type AppendReport, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import type { EntryRow } from './entry-row.ts';
import { insertMissing } from './insert-entries.ts';
import { startOfKept } from './log-days.ts';
import { writeEntries } from './write-entries.ts';

/** The days of the entries, each once. */
export function daysOf(entries: readonly { readonly timestamp: Date }[]): readonly Date[] {
  const days = new Set(entries.map(({ timestamp }) => startOfDay(timestamp.getTime())));
  return [...days].map((day) => new Date(day));
}

/**
 * Stores entries within somebody's transaction, which began as one that writes logs does. Their days must have been
 * prepared; those that fall on a dropped day are left out.
 */
export async function appendEntries(client: pg.ClientBase, entries: readonly LogEntry[]): Promise<AppendReport> {
  const earliest = await startOfKept(client);
  const rows = entries.map(rowOf).filter(({ timestamp }) => timestamp >= earliest);
  const stored = await writeEntries(client, insertMissing, rows);
  return { stored: stored.length, duplicates: rows.length - stored.length };
}

function rowOf({ timestamp, ...entry }: LogEntry): EntryRow {
  return { ...entry, timestamp: timestamp.getTime() };
}
