import {
  startOfDay,
  type AppendOutcomes,
  type LogEntry,
  type LogEntryStore,
  type SeparateLog,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { translateDataErrors } from '../postgres/translate-data-errors.ts';
import { entriesInPostgres, type EntryStorage } from './batch-entries.ts';
import { entriesInSeparateLog } from './entries-in-separate-log.ts';
import { insertMissing } from './entries/insert-entries.ts';
import { earliestKept, prepareDays } from './days/log-days.ts';

interface Dependencies extends Pick<Database, 'pool'> {
  /** Stores the entries in place of PostgreSQL. */
  readonly separateLog?: SeparateLog | null;
}

/** Appends entries in a separate transaction, with their arrivals. */
export function postgresLogAppender({
  pool,
  separateLog = null,
}: Dependencies): Pick<LogEntryStore, 'append'> {
  const storage = separateLog === null ? entriesInPostgres(insertMissing) : entriesInSeparateLog(separateLog);
  return { append: (entries) => translateDataErrors(() => append(pool, storage, entries)) };
}

async function append(
  pool: pg.Pool,
  { begin, entriesOf }: EntryStorage,
  entries: readonly LogEntry[],
): Promise<AppendOutcomes> {
  if (entries.length === 0) return [];
  const days = new Set(entries.map(({ timestamp }) => startOfDay(timestamp.getTime())));
  await prepareDays(
    pool,
    [...days].map((day) => new Date(day)),
  );
  return inTransaction(pool, begin, async (client) => {
    const { append: appendAll, arrivals } = entriesOf(client, () => false);
    const report = await appendAll(entries, await earliestKept(client));
    await arrivals.add(entries, report);
    return report;
  });
}
