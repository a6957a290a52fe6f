import { UNANNOUNCED, type AnnouncementId, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { columns, numberAt, textAt } from '../postgres/columns.ts';
import { PORTION } from '../retention/drop-in-portions.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** An id is its time in milliseconds, followed by this many random bits. So ids rise with the time. */
const RANDOM_BITS = 21;

const FOLLOWED = columns((row) => ({
  announcement: row.text('n.id'),
  recordId: row.numberOrNull('f.record_id'),
  epoch: row.numberOrNull('f.epoch'),
  number: row.numberOrNull('f.number'),
}));

/**
 * Inserts an announcement in the transaction of the batch. Returns a row for each of these logs that is followed, or one row
 * without a log.
 */
const ANNOUNCE: Statement = {
  name: 'announce_in_batch',
  text: `with n as (
    insert into log_announcement (id)
    select ((extract(epoch from statement_timestamp()) * 1000)::bigint << ${RANDOM_BITS})
      + floor(random() * ${2 ** RANDOM_BITS})::bigint
    returning id
  )
  select ${FOLLOWED.sql} from n left join log_follow f on f.record_id = any ($1::bigint[])`,
};

const FIND_UNCOMMITTED: Statement = {
  name: 'find_uncommitted_announcements',
  text: `select t.id from unnest($1::bigint[]) t (id)
  where not exists (select from log_announcement a where a.id = t.id)`,
};

const LOCK_FOLLOWED: Statement = {
  name: 'lock_followed_logs',
  text: `select from log_follow where record_id = any ($1::bigint[]) order by record_id for no key update`,
};

const DROP_OLD: Statement = {
  name: 'drop_old_log_announcements',
  text: `with gone as (
    delete from log_announcement where id = any (array(
      select id from log_announcement where id < ($1::bigint << ${RANDOM_BITS}) order by id limit ${PORTION.rows}
    )) returning id
  )
  select count(*) from gone`,
};

const ARRIVED = columns((row) => ({
  recordId: row.number('a.record_id'),
  time: row.number('k.time'),
  id: row.text('k.id'),
}));

/**
 * Of these entries, those that are among the arrivals of their log after a number. If the log has another epoch by now, the
 * number means nothing, and all its arrivals are searched. `offset 0` makes the number a condition of the index, and
 * `is true` makes PostgreSQL build one hash table of the ids.
 */
export const FIND_ARRIVED: Statement = {
  name: 'find_arrived_entries',
  text: `select ${ARRIVED.sql}
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) t (record_id, epoch, number)
  cross join lateral (
    select f.epoch, case when t.epoch = f.epoch then t.number else 0 end as after
    from log_follow f where f.record_id = t.record_id offset 0
  ) f
  cross join lateral (
    select * from log_arrival a
    where a.record_id = t.record_id and a.epoch = f.epoch and a.last > f.after offset 0
  ) a
  cross join lateral unnest(a.times, a.ids) k (time, id)
  where (k.id in (select unnest($4::uuid[]))) is true`,
};

/** The position of the last arrival of each followed log, by its record. */
export type Followed = ReadonlyMap<number, { readonly epoch: number; readonly number: number }>;

interface Announced {
  readonly announcement: AnnouncementId;
  readonly logs: Followed;
}

/** Inserts an announcement in the transaction of the batch, and finds out which of these logs are followed. */
export async function announceIn(client: pg.ClientBase, recordIds: readonly number[]): Promise<Announced> {
  const rows = (await run(client, ANNOUNCE, [recordIds])).map((row) => FOLLOWED.read(row));
  const logs = rows.flatMap(({ recordId, epoch, number }) =>
    recordId === null || epoch === null || number === null ? [] : [[recordId, { epoch, number }] as const],
  );
  return { announcement: rows[0]?.announcement ?? '', logs: new Map(logs) };
}

/** The announcements that are not committed: the transaction failed, or is in progress. */
export async function findUncommitted(
  client: pg.ClientBase,
  announcements: readonly AnnouncementId[],
): Promise<ReadonlySet<AnnouncementId>> {
  const given = [...new Set(announcements)].filter((id) => id !== UNANNOUNCED);
  if (given.length === 0) return new Set();
  return new Set((await run(client, FIND_UNCOMMITTED, [given])).map((row) => textAt(row, 0)));
}

/** Deletes the announcements before a time. They are not needed: their entries are dropped, so no source repeats them. */
export async function dropAnnouncements(pool: pg.Pool, before: number): Promise<void> {
  for (;;) {
    const [row] = await run(pool, DROP_OLD, [before]);
    if (row === undefined || numberAt(row, 0) === 0) return;
  }
}

interface Candidates {
  readonly entries: readonly LogEntry[];
  /**
   * Whether another transaction, which has not committed its announcement, has stored the entry. Its arrival may then have any
   * number, and all kept arrivals are searched.
   */
  readonly isUncommitted: (entry: LogEntry) => boolean;
}

/**
 * The names of the entries that are arrivals already. An entry that this transaction has stored can have arrived only since
 * the transaction began: only these arrivals are searched.
 *
 * Two transactions may have the same entry. The followed logs are locked until the commit, so the later transaction finds the
 * arrival of the earlier one.
 */
export async function findArrived(
  client: pg.ClientBase,
  logs: Followed,
  { entries, isUncommitted }: Candidates,
): Promise<ReadonlySet<string>> {
  const byRecord = [...Map.groupBy(entries, ({ recordId }) => recordId)].toSorted(([a], [b]) => a - b);
  const recordIds = byRecord.map(([recordId]) => recordId);
  await run(client, LOCK_FOLLOWED, [recordIds]);
  const positions = byRecord.map(([recordId, own]) => {
    const start = { epoch: 0, number: 0 };
    return own.some(isUncommitted) ? start : (logs.get(recordId) ?? start);
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
      .map(({ recordId, time, id }) => entryName({ recordId, timestamp: new Date(time), id })),
  );
}

export function entryName({
  recordId,
  timestamp,
  id,
}: Pick<LogEntry, 'recordId' | 'timestamp' | 'id'>): string {
  return `${recordId} ${timestamp.getTime()} ${id}`;
}
