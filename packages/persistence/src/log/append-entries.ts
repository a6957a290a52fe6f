import { startOfDay, type AppendReport, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { insertMissing } from './insert-entries.ts';
import { startOfKept } from './log-days.ts';
import { writeEntries, type NewEntry } from './write-entries.ts';

/** The days of the entries, each once. */
export function daysOf(entries: readonly { readonly timestamp: Date }[]): readonly Date[] {
  const days = new Set(entries.map(({ timestamp }) => startOfDay(timestamp.getTime())));
  return [...days].map((day) => new Date(day));
}

/**
 * Stores entries within somebody's transaction, which began as one that writes logs does. Their days must have been
 * prepared; those that fall on a dropped day are left out.
 */
export async function appendEntries(
  client: pg.ClientBase,
  entries: readonly LogEntry[],
): Promise<AppendReport> {
  const earliest = await startOfKept(client);
  const given = entries.map(newEntry).filter(({ timestamp }) => timestamp >= earliest);
  const stored = await writeEntries(client, insertMissing, given);
  return { stored: stored.length, duplicates: given.length - stored.length };
}

function newEntry({ timestamp, ...entry }: LogEntry): NewEntry {
  return { ...entry, timestamp: timestamp.getTime() };
}
