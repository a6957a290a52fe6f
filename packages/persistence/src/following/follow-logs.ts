import { setTimeout as sleep } from 'node:timers/promises';
import { ranOutOfPatience, type LogPosition } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { textAt } from '../postgres/cells.ts';

/** The limit of the wait for batches that began before. */
const WAIT_MAX_MS = 4_000;
const PAUSE_MS = 5;

const SEE_FOLLOWERS: Statement = {
  name: 'see_log_followers',
  text: `insert into log_follower (record_id, seen_at)
  select r.id, statement_timestamp() from unnest($1::bigint[]) r (id)
  on conflict (record_id) do update set seen_at = excluded.seen_at`,
};

/** Looks first, because `on conflict` waits for a batch that holds the row. */
const FOLLOW: Statement = {
  name: 'follow_logs',
  text: `insert into log_follow (record_id, epoch, number)
  select r.id, nextval('log_follow_epoch_seq'), 0 from unnest($1::bigint[]) r (id)
  where not exists (select from log_follow f where f.record_id = r.id)
  on conflict do nothing`,
};

/** The transactions that write logs: each holds this lock from its begin to its end. */
const WRITERS: Statement = {
  name: 'transactions_that_write_logs',
  text: `select l.virtualtransaction from pg_locks l
  where l.locktype = 'relation' and l.relation = 'log_entry'::regclass and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`,
};

const POSITION = columns((row) => ({
  recordId: row.number('record_id'),
  position: { epoch: row.number('epoch'), number: row.number('number') } satisfies LogPosition,
}));

const POSITIONS: Statement = {
  name: 'log_positions',
  text: `select ${POSITION.sql} from log_follow where record_id = any ($1::bigint[])`,
};

/**
 * Follows logs, and waits until every batch that may not know of it has ended. No other transaction is waited for, and
 * nobody waits for this.
 */
export async function followLogs(
  pool: pg.Pool,
  recordIds: readonly number[],
): Promise<ReadonlyMap<number, LogPosition>> {
  const sorted = [...new Set(recordIds)].toSorted((a, b) => a - b);
  await inTransaction(pool, 'begin', async (client) => {
    await run(client, SEE_FOLLOWERS, [sorted]);
    await run(client, FOLLOW, [sorted]);
  });
  await untilEnded(pool, await writers(pool));
  const rows = (await run(pool, POSITIONS, [sorted])).map((row) => POSITION.read(row));
  return new Map(rows.map(({ recordId, position }) => [recordId, position]));
}

async function untilEnded(pool: pg.Pool, transactions: ReadonlySet<string>): Promise<void> {
  const until = performance.now() + WAIT_MAX_MS;
  let open = transactions;
  while (open.size > 0) {
    if (performance.now() > until) throw ranOutOfPatience();
    await sleep(PAUSE_MS);
    open = open.intersection(await writers(pool));
  }
}

async function writers(pool: pg.Pool): Promise<ReadonlySet<string>> {
  return new Set((await run(pool, WRITERS, [])).map((row) => textAt(row, 0)));
}
