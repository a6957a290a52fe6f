import { startOfDay, type AppendOutcomes, type LogEntry, type LogEntryStore } from '@plugin-config/domain';
import { sequenceWriter } from '../following/add-to-sequence.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { translateDataErrors } from '../postgres/translate-error.ts';
import { appendEntries, TO_WRITE_LOGS } from './append-entries.ts';
import { logEdges, prepareDays } from './days/log-days.ts';
import { insertMissing } from './entries/insert-entries.ts';
import { lateFinder } from './late-entries.ts';
import { copiesOf } from './tiers/copies.ts';

/** Appends entries with their sequence numbers in a separate transaction. */
export function postgresLogAppender(database: StoreDatabase): Pick<LogEntryStore, 'append'> {
  return { append: (entries) => translateDataErrors(() => append(database, entries)) };
}

async function append(database: StoreDatabase, entries: readonly LogEntry[]): Promise<AppendOutcomes> {
  const { pool } = database;
  if (entries.length === 0) return [];
  const days = new Set(entries.map(({ timestamp }) => startOfDay(timestamp.getTime())));
  await prepareDays(
    pool,
    [...days].map((day) => new Date(day)),
  );
  return inTransaction(pool, TO_WRITE_LOGS, async (client) => {
    const edges = await logEdges(client);
    const outcomes = await appendEntries(
      client,
      { insert: insertMissing, findLate: lateFinder(copiesOf(database)), edges },
      entries,
    );
    await sequenceWriter(client, () => false).add(entries, outcomes);
    return outcomes;
  });
}
