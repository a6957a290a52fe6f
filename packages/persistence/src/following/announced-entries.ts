import type { LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

const FOLLOWED = columns((row) => ({
  transaction: row.number('pg_current_xact_id()::text'),
  recordId: row.number('f.record_id'),
  epoch: row.number('f.epoch'),
  number: row.number('f.number'),
}));

const FIND_FOLLOWED: Statement = {
  name: 'find_followed_logs',
  text: `select ${FOLLOWED.sql} from log_follow f where f.record_id = any ($1::bigint[])`,
};

/** Fails for the id of a later transaction than this one, so it does not ask for any. */
const FIND_INTERRUPTED: Statement = {
  name: 'find_interrupted_transactions',
  text: `select t.id from unnest($1::bigint[]) t (id)
  where case when t.id::text::xid8 < pg_current_xact_id() then pg_xact_status(t.id::text::xid8) = 'aborted' end`,
};

const LOCK_FOLLOWED: Statement = {
  name: 'lock_followed_logs',
  text: `select from log_follow where record_id = any ($1::bigint[]) order by record_id for no key update`,
};

const ARRIVED = columns((row) => ({
  recordId: row.number('a.record_id'),
  time: row.number('k.time'),
  id: row.text('k.id'),
}));

/** Which of these entries are among the arrivals after a number, in the epoch that the log has now. */
const FIND_ARRIVED: Statement = {
  name: 'find_arrived_entries',
  text: `select ${ARRIVED.sql}
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) t (record_id, epoch, number)
  cross join lateral (select * from log_follow f where f.record_id = t.record_id) f
  cross join lateral (
    select * from log_arrival a
    where a.record_id = t.record_id and a.epoch = f.epoch
      and a.last > case when t.epoch = f.epoch then t.number else 0 end and a.ids && $4::uuid[]
  ) a
  cross join lateral unnest(a.times, a.ids) k (time, id)
  where k.id = any ($4::uuid[])`,
};

/** The followed ones of some logs, with the places of their last arrivals. */
export interface Followed {
  /** The id of this transaction; 0 if nobody follows any of the logs. */
  readonly transaction: number;
  readonly logs: ReadonlyMap<number, { readonly epoch: number; readonly number: number }>;
}

export async function findFollowed(client: pg.ClientBase, recordIds: readonly number[]): Promise<Followed> {
  if (recordIds.length === 0) return { transaction: 0, logs: new Map() };
  const rows = (await run(client, FIND_FOLLOWED, [recordIds])).map((row) => FOLLOWED.read(row));
  return {
    transaction: rows[0]?.transaction ?? 0,
    logs: new Map(rows.map(({ recordId, epoch, number }) => [recordId, { epoch, number }])),
  };
}

/** The transactions that were rolled back: what they stored elsewhere was never announced. */
export async function findInterrupted(
  client: pg.ClientBase,
  transactions: readonly number[],
): Promise<ReadonlySet<number>> {
  const given = [...new Set(transactions)].filter((id) => id > 0);
  if (given.length === 0) return new Set();
  return new Set((await run(client, FIND_INTERRUPTED, [given])).map(([id]) => Number(id)));
}

interface Candidates {
  readonly entries: readonly LogEntry[];
  /** Whether the entry was stored by an earlier transaction, so that any kept arrival may be its own. */
  readonly isInterrupted: (entry: LogEntry) => boolean;
}

/**
 * The names of the entries that arrived already: of those that this transaction has stored, since it began. Locks the
 * followed logs until the commit.
 */
export async function findArrived(
  client: pg.ClientBase,
  { logs }: Followed,
  { entries, isInterrupted }: Candidates,
): Promise<ReadonlySet<string>> {
  const byRecord = [...Map.groupBy(entries, ({ recordId }) => recordId)].toSorted(([a], [b]) => a - b);
  const recordIds = byRecord.map(([recordId]) => recordId);
  await run(client, LOCK_FOLLOWED, [recordIds]);
  const positions = byRecord.map(([recordId, own]) => {
    const start = { epoch: 0, number: 0 };
    return own.some(isInterrupted) ? start : (logs.get(recordId) ?? start);
  });
  const rows = await run(client, FIND_ARRIVED, [
    recordIds,
    positions.map(({ epoch }) => epoch),
    positions.map(({ number }) => number),
    entries.map(({ id }) => id),
  ]);
  return new Set(
    rows
      .map((row) => ARRIVED.read(row))
      .map(({ recordId, time, id }) => nameOf({ recordId, timestamp: new Date(time), id })),
  );
}

export function nameOf({ recordId, timestamp, id }: Pick<LogEntry, 'recordId' | 'timestamp' | 'id'>): string {
  return `${recordId} ${timestamp.getTime()} ${id}`;
}
