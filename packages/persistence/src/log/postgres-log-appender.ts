import { startOfDay, type AppendOutcomes, type LogEntry, type LogEntryStore } from '@plugin-config/domain';
import type pg from 'pg';
import type { Database } from '../postgres/database.ts';
import { arrivalWriter } from '../following/add-arrivals.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { translateDataErrors } from '../postgres/translate-data-errors.ts';
import { appendEntries, TO_WRITE_LOGS } from './append-entries.ts';
import { insertMissing } from './insert-entries.ts';
import { earliestKept, prepareDays } from './log-days.ts';

/** Appends entries in a separate transaction, with their arrivals. */
export function postgresLogAppender({ pool }: Pick<Database, 'pool'>): Pick<LogEntryStore, 'append'> {
  return { append: (entries) => translateDataErrors(() => append(pool, entries)) };
}

async function append(pool: pg.Pool, entries: readonly LogEntry[]): Promise<AppendOutcomes> {
  if (entries.length === 0) return [];
  const days = new Set(entries.map(({ timestamp }) => startOfDay(timestamp.getTime())));
  await prepareDays(
    pool,
    [...days].map((day) => new Date(day)),
  );
  return inTransaction(pool, TO_WRITE_LOGS, async (client) => {
    const earliest = await earliestKept(client);
    const outcomes = await appendEntries(client, { insert: insertMissing, earliest }, entries);
    await arrivalWriter(client, () => false).add(entries, outcomes);
    return outcomes;
  });
}
