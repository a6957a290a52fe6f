import type pg from 'pg';
import { LogEntryRow } from '../../entities/log.row.ts';
import { columns } from '../../postgres/columns.ts';
import { prepared, run } from '../../postgres/statement.ts';
import { writtenOf } from '../../postgres/table.ts';
import { copyIn } from './copy-in.ts';
import type { EntryRow } from './entry-row.ts';
import { COPY_ENTRIES, entryWriter } from './entry-writer.ts';
import { execute } from '../../postgres/in-transaction.ts';
import { isUniqueViolation } from '../../postgres/translate-error.ts';

/** From this number of rows, copying is cheaper than inserting, even with a savepoint. */
const MIN_ROWS_TO_COPY = 64;

const INSERTED = columns((row) => ({
  recordId: row.number('record_id'),
  timestamp: row.date('timestamp').getTime(),
  id: row.text('id'),
}));

const WRITTEN = writtenOf(LogEntryRow);

const INSERT_ENTRIES = prepared('insert_log_entries')`
  insert into log_entry (${WRITTEN.names}) select * from ${WRITTEN.unnest(1)}
  on conflict do nothing
  returning ${INSERTED.sql}`;

/** Inserts the new rows among sorted, distinct rows, and returns them in order. */
export type InsertEntries = <R extends EntryRow>(
  client: pg.ClientBase,
  rows: readonly R[],
) => Promise<readonly R[]>;

/** Copies batches, by far the fastest way. If a batch contains a stored entry, the copy fails, and the batch is inserted. */
export function entryInserter(): InsertEntries {
  const write = entryWriter();
  return async (client, rows) => {
    if (rows.length < MIN_ROWS_TO_COPY) return insertMissing(client, rows);
    await execute(client, 'savepoint entries');
    try {
      await copyIn(client, COPY_ENTRIES, () => write(rows));
      return rows;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await execute(client, 'rollback to savepoint entries');
      return insertMissing(client, rows);
    }
  };
}

async function insertMissing<R extends EntryRow>(
  client: pg.ClientBase,
  rows: readonly R[],
): Promise<readonly R[]> {
  const written = rows.map((row) => ({ ...row, timestamp: new Date(row.timestamp) }));
  const inserted = await run(client, INSERT_ENTRIES, WRITTEN.arrays(written));
  if (inserted.length === rows.length) return rows;
  const keys = new Set(inserted.map((row) => keyOf(INSERTED.read(row))));
  return rows.filter((row) => keys.has(keyOf(row)));
}

function keyOf({ recordId, timestamp, id }: Pick<EntryRow, 'recordId' | 'timestamp' | 'id'>): string {
  return `${recordId} ${timestamp} ${id}`;
}
