import type pg from 'pg';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { numberAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { IN_INDEX_ORDER } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The limits of a chunk. It is deleted within milliseconds, so it never blocks others for long. */
export const CHUNK = { rows: 1000, bytes: 4 * 1024 * 1024 };

/** A CTE that lets only one worker at a time delete expired rows. */
export const RETENTION_LOCK = `lock as materialized (select pg_try_advisory_xact_lock(${ADVISORY_LOCK.retention}) as mine)`;

/** Begins a deletion whose plan reads a chunk in index order for any size of the table. */
export const TO_DROP = `begin; ${IN_INDEX_ORDER}`;

const EXPIRY = `statement_timestamp() - $1 * interval '1 millisecond'`;

interface ExpiringTable {
  /** Has the alias `t` in the expressions. */
  readonly table: string;
  /** The time from which a row ages; null if it does not age yet. */
  readonly since: string;
  readonly bytes?: string;
  /** A time from which on rows are kept even if they are old. */
  readonly keptFrom?: string;
}

interface Then {
  /** A column of the deleted rows `gone`. */
  readonly column: string;
  /** Queries that read it, the last of which is named `last`. */
  readonly queries: string;
}

/**
 * Returns the statement that deletes a chunk of the rows older than an age ($1), from a time ($2) on. It returns the number of
 * deleted rows and the start of the next chunk; null after the last one. The table needs an index by time.
 */
export function dropOldRows(
  name: string,
  { table, since, bytes = '0', keptFrom }: ExpiringTable,
  then?: Then,
): Statement {
  const isOld = `${since} <= ${EXPIRY}${keptFrom === undefined ? '' : ` and ${since} < ${keptFrom}`}`;
  return {
    name,
    text: `with ${RETENTION_LOCK},
  sized as (
    select o.row, sum(o.bytes) over (order by o.since rows unbounded preceding) - o.bytes as ahead
    from (
      select t.ctid as row, ${since} as since, ${bytes} as bytes
      from ${table} t
      where ${since} >= $2::timestamptz and ${isOld} and (select mine from lock)
      order by ${since} limit ${CHUNK.rows}${then === undefined ? '' : ' for update skip locked'}
    ) o
  ),
  gone as (
    delete from ${table} t
    where t.ctid = any (array(select s.row from sized s where s.ahead < ${CHUNK.bytes})) and ${isOld}
    returning ${[`${since} as since`, then?.column ?? []].flat().join(', ')}
  )${then === undefined ? '' : `,\n  ${then.queries}`}
  select count(*), max(g.since) from gone g${then === undefined ? '' : ' left join last on true'}`,
  };
}

/**
 * For tables without an index by time: returns the statement that deletes the rows older than an age ($1) in a chunk of the rows
 * after an id ($2). It returns the number of deleted rows and the id to continue after; null after the last chunk.
 */
export function dropOldIds(name: string, { table, since, bytes = '0' }: ExpiringTable): Statement {
  return {
    name,
    text: `with ${RETENTION_LOCK},
  chunk as materialized (
    select o.id from (
      select r.id, sum(r.bytes) over (order by r.id rows unbounded preceding) - r.bytes as ahead
      from (
        select t.id, ${bytes} as bytes
        from ${table} t where t.id > $2::bigint and (select mine from lock) order by t.id limit ${CHUNK.rows}
      ) r
    ) o where o.ahead < ${CHUNK.bytes}
  ),
  gone as (
    delete from ${table} t where t.id = any (array(select c.id from chunk c)) and ${since} <= ${EXPIRY}
    returning t.id
  )
  select (select count(*) from gone), (select max(c.id) from chunk c)`,
  };
}

/** Runs the statement, whose parameters are the age or count and the start of the chunk, until there is no next chunk. */
export async function* dropInChunks(
  pool: pg.Pool,
  statement: Statement,
  { kept, first }: { readonly kept: number; readonly first: string },
): AsyncGenerator<number, void> {
  for (let next: string | null = first; next !== null;) {
    const start: string = next;
    const [row = []] = await inTransaction(pool, TO_DROP, (client) => run(client, statement, [kept, start]));
    next = row[1] ?? null;
    if (next !== null) yield numberAt(row, 0);
  }
}
