import type pg from 'pg';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { numberAt, textAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { IN_INDEX_ORDER } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The limits of a chunk. It is deleted within milliseconds, so it never blocks others for long. */
export const CHUNK = { rows: 1000, bytes: 4 * 1024 * 1024 };

/** A CTE that lets only one worker at a time delete expired rows. */
export const RETENTION_LOCK = `lock as materialized (select pg_try_advisory_xact_lock(${ADVISORY_LOCK.retention}) as mine)`;

/** Begins a deletion whose plan reads a chunk in index order, whatever the size of the table. */
export const TO_DROP = `begin; ${IN_INDEX_ORDER}`;

interface ExpiringTable {
  /** Has the alias `t` in the expressions. */
  readonly table: string;
  readonly id: string;
  /** The time from which a row ages; null if it does not age yet. The table needs an index by this time and id. */
  readonly since: string;
  readonly bytes: string;
}

/** Returns the statement that deletes a chunk of the rows older than an age ($1), starting at a time ($2). */
export function dropOldRows(name: string, { table, id, since, bytes }: ExpiringTable): Statement {
  return {
    name,
    text: `with ${RETENTION_LOCK},
  sized as (
    select o.id, sum(o.bytes) over (order by o.since, o.id) - o.bytes as ahead
    from (
      select ${id} as id, ${since} as since, ${bytes} as bytes
      from ${table} t
      where ${since} >= $2::timestamptz
        and ${since} <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
      order by ${since}, ${id} limit ${CHUNK.rows}
    ) o
  ),
  gone as (
    delete from ${table} t where ${id} = any (array(select s.id from sized s where s.ahead < ${CHUNK.bytes}))
    returning ${since} as since
  )
  select count(*), max(g.since) from gone g`,
  };
}

interface Options {
  readonly ageMs: number;
  /** The start of the first chunk. */
  readonly first: string;
}

/**
 * Runs the statement until it deletes no more rows. Its parameters are the age and the start of the chunk. It returns the number
 * of deleted rows and the start of the next chunk.
 */
export async function* dropInChunks(
  pool: pg.Pool,
  statement: Statement,
  { ageMs, first }: Options,
): AsyncGenerator<number, void> {
  for (let next = first; ;) {
    const start = next;
    const [row] = await inTransaction(pool, TO_DROP, (client) => run(client, statement, [ageMs, start]));
    if (row === undefined || numberAt(row, 0) === 0) return;
    yield numberAt(row, 0);
    next = textAt(row, 1);
  }
}
