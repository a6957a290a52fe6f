import type pg from 'pg';
import { ADVISORY_LOCK } from './advisory-locks.ts';
import { numberAt, textAt } from './cells.ts';
import { inTransaction } from './in-transaction.ts';
import { run, type Statement } from './statement.ts';

/** A portion is deleted within some milliseconds, so that nobody waits for it. */
export const PORTION = { rows: 1000, bytes: 4 * 1024 * 1024 };

/** One worker at a time deletes what is old. */
export const MINE = `lock as materialized (select pg_try_advisory_xact_lock(${ADVISORY_LOCK.retention}) as mine)`;

/** The plan must suit tables of any size: it reads one portion in the order of its index, not all that is old. */
export const TO_DROP = 'begin; set local enable_bitmapscan = off; set local enable_sort = off';

interface Options {
  readonly ageMs: number;
  /** Where the first portion begins. */
  readonly first: string;
}

/**
 * Runs the statement until it deletes nothing more. It is given the age and where the portion begins; it answers how
 * many it deleted and where the next portion begins.
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
