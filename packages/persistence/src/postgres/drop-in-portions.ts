import type pg from 'pg';
import { ADVISORY_LOCK } from './advisory-locks.ts';
import { numberAt, textAt } from './cells.ts';
import { inTransaction } from './in-transaction.ts';
import { run, type Statement } from './statement.ts';

/** The limits of a portion. It is deleted within milliseconds, so that nothing waits for long. */
export const PORTION = { rows: 1000, bytes: 4 * 1024 * 1024 };

/** A CTE that lets one worker at a time delete expired rows. */
export const RETENTION_LOCK = `lock as materialized (select pg_try_advisory_xact_lock(${ADVISORY_LOCK.retention}) as mine)`;

/** Begins a deletion with a plan for tables of any size, which reads one portion in index order. */
export const TO_DROP = 'begin; set local enable_bitmapscan = off; set local enable_sort = off';

interface Options {
  readonly ageMs: number;
  /** The start of the first portion. */
  readonly first: string;
}

/**
 * Runs the statement until it deletes nothing. Its parameters are the age and the start of the portion; it returns the
 * number of deleted rows and the start of the next portion.
 */
export async function* dropInPortions(
  pool: pg.Pool,
  statement: Statement,
  { ageMs, first }: Options,
): AsyncGenerator<number, void> {
  for (let begin = first; ;) {
    const after = begin;
    const [row] = await inTransaction(pool, TO_DROP, (client) => run(client, statement, [ageMs, after]));
    if (row === undefined || numberAt(row, 0) === 0) return;
    yield numberAt(row, 0);
    begin = textAt(row, 1);
  }
}
