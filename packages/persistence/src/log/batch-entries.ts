import type { AppendOutcomes, LogArrivalWriter, LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { arrivalWriter } from '../following/add-arrivals.ts';
import { appendEntries, TO_WRITE_LOGS } from './append-entries.ts';
import type { InsertEntries } from './entries/insert-entries.ts';

/** The entries of one batch on their way into the logs, and their arrivals. */
export interface BatchEntries {
  /** @param earliest the start of the oldest day that is not dropped */
  append(entries: readonly LogEntry[], earliest: number): Promise<AppendOutcomes>;
  readonly arrivals: LogArrivalWriter;
}

/** Where batches store entries. */
export interface EntryStorage {
  /** Begins the transaction of a batch. */
  readonly begin: string;
  /** @param isUnfollowed tells the logs that nobody follows, as far as the transaction has asked */
  entriesOf(client: pg.ClientBase, isUnfollowed: (recordId: number) => boolean): BatchEntries;
}

/** Stores the entries in the transaction of the batch. */
export function entriesInPostgres(insert: InsertEntries): EntryStorage {
  return {
    begin: TO_WRITE_LOGS,
    entriesOf: (client, isUnfollowed) => ({
      append: (entries, earliest) => appendEntries(client, { insert, earliest }, entries),
      arrivals: arrivalWriter(client, isUnfollowed),
    }),
  };
}
