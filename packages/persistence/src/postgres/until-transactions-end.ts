import { setTimeout as sleep } from 'node:timers/promises';
import { timedOut, TIMEOUT_MS } from '@plugin-config/domain';
import type pg from 'pg';
import { textAt } from './columns.ts';
import { run, type Statement } from './statement.ts';

const PAUSE_MS = 5;

/** Returns the statement that finds the transactions that write to one of the tables, by their lock, which they hold until they end. */
export function writersOf(name: string, tables: readonly string[]): Statement {
  const relations = tables.map((table) => `'${table}'::regclass`).join(', ');
  return {
    name,
    text: `select l.virtualtransaction from pg_locks l
  where l.locktype = 'relation' and l.relation in (${relations}) and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`,
  };
}

/**
 * Waits until all transactions that the statement finds now have ended. Blocks none, and does not wait for later transactions.
 * @throws DomainError `busy` if that takes too long
 */
export async function untilTransactionsEnd(pool: pg.Pool, find: Statement): Promise<void> {
  const openNow = async () => new Set((await run(pool, find, [])).map((row) => textAt(row, 0)));
  const deadline = performance.now() + TIMEOUT_MS;
  let open = await openNow();
  while (open.size > 0) {
    if (performance.now() > deadline) throw timedOut();
    await sleep(PAUSE_MS);
    open = open.intersection(await openNow());
  }
}
