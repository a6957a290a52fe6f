import {
  startOfDay,
  type AppendOutcomes,
  type LogArchive,
  type LogEntry,
  type LogEntryStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { sequenceWriter } from '../following/add-to-sequence.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { translateDataErrors } from '../postgres/translate-error.ts';
import { appendEntries, TO_WRITE_LOGS } from './append-entries.ts';
import { logEdges, prepareDays } from './days/log-days.ts';
import { insertMissing } from './entries/insert-entries.ts';
import { NO_ARCHIVE } from './no-archive.ts';

interface Dependencies extends Pick<Database, 'pool'> {
  readonly archive?: LogArchive;
}

/** Appends entries with their sequence numbers in a separate transaction. */
export function postgresLogAppender({
  pool,
  archive = NO_ARCHIVE,
}: Dependencies): Pick<LogEntryStore, 'append'> {
  return { append: (entries) => translateDataErrors(() => append(pool, archive, entries)) };
}

async function append(
  pool: pg.Pool,
  archive: LogArchive,
  entries: readonly LogEntry[],
): Promise<AppendOutcomes> {
  if (entries.length === 0) return [];
  const days = new Set(entries.map(({ timestamp }) => startOfDay(timestamp.getTime())));
  await prepareDays(
    pool,
    [...days].map((day) => new Date(day)),
  );
  return inTransaction(pool, TO_WRITE_LOGS, async (client) => {
    const edges = await logEdges(client);
    const outcomes = await appendEntries(client, { insert: insertMissing, archive, edges }, entries);
    await sequenceWriter(client, () => false).add(entries, outcomes);
    return outcomes;
  });
}
