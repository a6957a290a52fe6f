import { setTimeout as sleep } from 'node:timers/promises';
import { timedOut } from '@plugin-config/domain';
import type pg from 'pg';
import { textAt } from './columns.ts';
import { run, type Statement } from './statement.ts';

const PAUSE_MS = 5;

/** Finds the transactions that write to some tables. They hold this lock until their end, even while their commit waits. */
const WRITERS: Statement = {
  name: 'transactions_that_write',
  text: `select l.virtualtransaction from pg_locks l
  where l.locktype = 'relation' and l.relation = any ($1::regclass[]::oid[]) and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`,
};

/**
 * Waits until all transactions that currently write to one of these tables have ended. Waits for no other transactions and
 * blocks none.
 * @throws DomainError `busy` if they do not end in time
 */
export async function untilWritersEnd(
  pool: pg.Pool,
  tables: readonly string[],
  waitMaxMs: number,
): Promise<void> {
  const deadline = performance.now() + waitMaxMs;
  let open = await writers(pool, tables);
  while (open.size > 0) {
    if (performance.now() > deadline) throw timedOut();
    await sleep(PAUSE_MS);
    open = open.intersection(await writers(pool, tables));
  }
}

async function writers(pool: pg.Pool, tables: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await run(pool, WRITERS, [tables])).map((row) => textAt(row, 0)));
}
