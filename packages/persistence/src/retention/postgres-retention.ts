import type { DropOld, Retention } from '@plugin-config/domain';
import type pg from 'pg';
import { nullIfBusy } from '../postgres/busy.ts';
import { flagAt, numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { notifyListeners } from '../postgres/notify-listeners.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { dropInChunks, dropOldRows, CHUNK, RETENTION_LOCK, TO_DROP } from './drop-in-chunks.ts';

export const DROP_FINISHED_JOBS = dropOldRows('drop_finished_jobs', {
  table: 'job',
  id: 't.id',
  since: 't.finished_at',
  bytes: 'pg_column_size(t.work) + coalesce(pg_column_size(t.error), 0)',
});

export const DROP_KEPT_RESPONSES = dropOldRows('drop_kept_responses', {
  table: 'kept_response',
  id: 't.name',
  since: 't.kept_at',
  bytes: 'pg_column_size(t.response)',
});

/** Deletes a chunk that starts after an id. Ids ascend with time, so no index by time is needed. */
export const DROP_OLD_ACTIVITY: Statement = {
  name: 'drop_old_activity',
  text: `with ${RETENTION_LOCK},
  sized as (
    select o.id, sum(o.bytes) over (order by o.id) - o.bytes as ahead,
      o.created_at <= statement_timestamp() - $1 * interval '1 millisecond' as old
    from (
      select a.id, a.created_at, a.changes_bytes as bytes
      from activity a where a.id > $2::bigint and (select mine from lock) order by a.id limit ${CHUNK.rows}
    ) o
  ),
  chunk as (
    select s.id, s.old from sized s where s.ahead < ${CHUNK.bytes}
  ),
  gone as (
    delete from activity a where a.id = any (array(select p.id from chunk p where p.old)) returning a.id
  )
  select (select count(*) from gone), (select max(p.id) from chunk p)`,
};

/** Deletes a chunk that starts at a time. */
export const DROP_OLD_SEQUENCE: Statement = {
  name: 'drop_old_log_sequence',
  text: `with ${RETENTION_LOCK},
  chunk as materialized (
    select a.record_id, a.epoch, a.last
    from log_sequence a
    where a.arrived_at >= $2::timestamptz
      and a.arrived_at <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
    order by a.arrived_at limit ${CHUNK.rows}
  ),
  gone as (
    delete from log_sequence a using chunk p
    where a.record_id = p.record_id and a.epoch = p.epoch and a.last = p.last
    returning a.arrived_at
  )
  select count(*), max(g.arrived_at) from gone g`,
};

/**
 * Locks the followers first, like `follow`, so a log that is followed again in between is kept. Wakes the streams of forgotten
 * logs, which then start over.
 */
export const FORGET_LOGS: Statement = {
  name: 'forget_logs',
  text: `with ${RETENTION_LOCK},
  unseen as (
    delete from log_follower f where f.record_id = any (array(
      select o.record_id from log_follower o
      where o.seen_at >= $2::timestamptz
        and o.seen_at <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
      order by o.seen_at, o.record_id limit ${CHUNK.rows}
    )) and f.seen_at <= statement_timestamp() - $1 * interval '1 millisecond'
    returning f.record_id, f.seen_at
  ),
  forgotten as (
    delete from log_follow l where l.record_id = any (array(select u.record_id from unseen u))
    returning l.record_id
  ),
  woken as (
    select ${notifyListeners('f.ids')}
    from (select array(select record_id from forgotten) as ids offset 0) f where cardinality(f.ids) > 0
  )
  -- The join makes PostgreSQL run the query.
  select count(*), max(u.seen_at) from unseen u left join woken on true`,
};

/**
 * Deletes a chunk of revisions of the records after an id, and keeps $1 per record. Skips from record to record in the index,
 * with one lookup each. Returns the number of deleted rows and the record to continue after; null after the last one.
 */
export const DROP_REVISIONS: Statement = {
  name: 'drop_revisions',
  text: `with recursive ${RETENTION_LOCK},
  first as (
    (
      select e.record_id, e.number from config_revision e
      where e.record_id > $2::bigint and (select mine from lock) order by e.record_id, e.number limit 1
    )
    union all
    select n.record_id, n.number from first f cross join lateral (
      select e.record_id, e.number from config_revision e
      where e.record_id > f.record_id order by e.record_id, e.number limit 1
    ) n
  ),
  visited as materialized (
    select f.record_id, f.number, r.revision - $1::bigint as up_to
    from (select * from first limit ${CHUNK.rows}) f
    join lateral (select r.revision from config_record r where r.id = f.record_id limit 1) r on true
  ),
  due as materialized (
    select d.*, sum(d.bytes) over (order by d.record_id, d.number) - d.bytes as ahead
    from (
      select e.record_id, e.number, coalesce(octet_length(e.config), 0) as bytes
      from visited v cross join lateral (
        select * from config_revision e
        where v.number <= v.up_to and e.record_id = v.record_id and e.number <= v.up_to order by e.number limit ${CHUNK.rows + 1}
      ) e
      limit ${CHUNK.rows + 1}
    ) d
  ),
  chunk as materialized (
    select d.record_id, d.number from due d where d.ahead < ${CHUNK.bytes} order by d.record_id, d.number limit ${CHUNK.rows}
  ),
  gone as (
    delete from config_revision e using chunk p where e.record_id = p.record_id and e.number = p.number returning e.record_id
  )
  select (select count(*) from gone), case
    when (select count(*) from chunk) < (select count(*) from due) then (select max(p.record_id) - 1 from chunk p)
    else (select max(v.record_id) from visited v)
  end`,
};

/**
 * Deletes the old runtimes in a chunk of runtimes after an id. There is no index by time, since each report would have to update
 * it. Returns the number of deleted rows and the id to continue after; null after the last chunk.
 */
const FORGET_RUNTIMES: Statement = {
  name: 'forget_runtimes',
  text: `with ${RETENTION_LOCK},
  chunk as materialized (
    select t.id from runtime_instance t where t.id > $2::bigint and (select mine from lock)
    order by t.id limit ${CHUNK.rows}
  ),
  gone as (
    delete from runtime_instance t where t.id = any (array(select p.id from chunk p))
      and t.last_seen_at <= statement_timestamp() - $1 * interval '1 millisecond'
    returning t.id
  )
  select (select count(*) from gone), (select max(p.id) from chunk p)`,
};

/** Deletes a chunk that starts at a time. */
export const DROP_DELIVERY_MINUTES: Statement = {
  name: 'drop_delivery_minutes',
  text: `with ${RETENTION_LOCK},
  chunk as materialized (
    select m.minute, m.record_id
    from delivery_minute m
    where m.minute >= $2::timestamptz
      and m.minute <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
    order by m.minute limit ${CHUNK.rows}
  ),
  gone as (
    delete from delivery_minute m using chunk p where m.minute = p.minute and m.record_id = p.record_id
    returning m.minute
  )
  select count(*), max(g.minute) from gone g`,
};

/** Deletes a chunk that starts on a day. */
const DROP_USAGE: Statement = {
  name: 'drop_log_usage',
  text: `with ${RETENTION_LOCK},
  chunk as materialized (
    select u.day, u.project_id
    from log_usage u
    where u.day >= $2::date and u.day < (now() at time zone 'UTC' - $1 * interval '1 millisecond')::date
      and (select mine from lock)
    order by u.day limit ${CHUNK.rows}
  ),
  gone as (
    delete from log_usage u using chunk p where u.day = p.day and u.project_id = p.project_id returning u.day
  )
  select count(*), max(g.day) from gone g`,
};

/** Drops the oldest expired day of deliveries whose logs have already been dropped. */
const DROP_DELIVERY_DAY: Statement = {
  name: 'drop_delivery_day',
  text: `select drop_delivery_day(o.day) from (
    select l.day from log_day l
    where l.state = 'dropped' and l.day < (now() at time zone 'UTC' - $1 * interval '1 millisecond')::date
      and to_regclass('delivery_sum' || to_char(l.day, '_YYYYMMDD')) is not null
    order by l.day limit 1
  ) o`,
};

/** Stops early if a day is in use; the next call drops it. */
async function* dropDeliveryDays(pool: pg.Pool, ageMs: number): AsyncGenerator<number, void> {
  for (;;) {
    const rows = await nullIfBusy(() => run(pool, DROP_DELIVERY_DAY, [ageMs]));
    if (rows?.[0] === undefined || !flagAt(rows[0], 0)) return;
    yield 1;
  }
}

export function postgresRetention({ pool }: Pick<Database, 'pool'>): Retention {
  const dropBy =
    (statement: Statement, first = '-infinity'): DropOld =>
    (ageMs) =>
      dropInChunks(pool, statement, { ageMs, first });
  return {
    finishedJobs: dropBy(DROP_FINISHED_JOBS),
    activity: dropBy(DROP_OLD_ACTIVITY, '0'),
    keptResponses: dropBy(DROP_KEPT_RESPONSES),
    sequence: dropBy(DROP_OLD_SEQUENCE),
    followedLogs: dropBy(FORGET_LOGS),
    revisions: (kept) => dropAfterIds(pool, DROP_REVISIONS, kept),
    runtimes: (ageMs) => dropAfterIds(pool, FORGET_RUNTIMES, ageMs),
    usage: dropBy(DROP_USAGE),
    deliveryMinutes: dropBy(DROP_DELIVERY_MINUTES),
    deliveryDays: (ageMs) => dropDeliveryDays(pool, ageMs),
  };
}

/** Runs a statement that returns the number of deleted rows and the id to continue after, until that is null. */
async function* dropAfterIds(
  pool: pg.Pool,
  statement: Statement,
  kept: number,
): AsyncGenerator<number, void> {
  for (let after = 0; ;) {
    const from = after;
    const [row = []] = await inTransaction(pool, TO_DROP, (client) => run(client, statement, [kept, from]));
    const next = row[1] ?? null;
    if (next === null) return;
    yield numberAt(row, 0);
    after = Number(next);
  }
}
