import type { DropOld, Retention } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import type { Statement } from '../postgres/statement.ts';
import { dropInPortions, dropOldRows, PORTION, RETENTION_LOCK } from './drop-in-portions.ts';

export const DROP_FINISHED_JOBS = dropOldRows('drop_finished_jobs', {
  table: 'job',
  id: 't.id',
  since: 't.finished_at',
  bytes: 'pg_column_size(t.work) + coalesce(pg_column_size(t.error), 0)',
});

export const DROP_KEPT_ANSWERS = dropOldRows('drop_kept_answers', {
  table: 'kept_answer',
  id: 't.name',
  since: 't.kept_at',
  bytes: 'pg_column_size(t.answer)',
});

/** Deletes a portion after an id. Ids ascend with time, so no index by time is needed. */
export const DROP_OLD_ACTIVITY: Statement = {
  name: 'drop_old_activity',
  text: `with ${RETENTION_LOCK},
  sized as (
    select o.id, sum(o.bytes) over (order by o.id) - o.bytes as ahead,
      o.created_at <= statement_timestamp() - $1 * interval '1 millisecond' as old
    from (
      select a.id, a.created_at, a.changes_bytes as bytes
      from activity a where a.id > $2::bigint and (select mine from lock) order by a.id limit ${PORTION.rows}
    ) o
  ),
  portion as (
    select s.id, s.old from sized s where s.ahead < ${PORTION.bytes}
  ),
  gone as (
    delete from activity a where a.id = any (array(select p.id from portion p where p.old)) returning a.id
  )
  select (select count(*) from gone), (select max(p.id) from portion p)`,
};

/** Deletes a portion that begins at a time. */
export const DROP_OLD_ARRIVALS: Statement = {
  name: 'drop_old_log_arrivals',
  text: `with ${RETENTION_LOCK},
  portion as materialized (
    select a.record_id, a.epoch, a.last
    from log_arrival a
    where a.arrived_at >= $2::timestamptz
      and a.arrived_at <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
    order by a.arrived_at limit ${PORTION.rows}
  ),
  gone as (
    delete from log_arrival a using portion p
    where a.record_id = p.record_id and a.epoch = p.epoch and a.last = p.last
    returning a.arrived_at
  )
  select count(*), max(g.arrived_at) from gone g`,
};

/** Locks the followers first, as `follow` does: so a log that is followed again meanwhile stays. */
export const FORGET_LOGS: Statement = {
  name: 'forget_logs',
  text: `with ${RETENTION_LOCK},
  unseen as (
    delete from log_follower f where f.record_id = any (array(
      select o.record_id from log_follower o
      where o.seen_at >= $2::timestamptz
        and o.seen_at <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
      order by o.seen_at, o.record_id limit ${PORTION.rows}
    )) and f.seen_at <= statement_timestamp() - $1 * interval '1 millisecond'
    returning f.record_id, f.seen_at
  ),
  forgotten as (
    delete from log_follow l where l.record_id = any (array(select u.record_id from unseen u))
  )
  select count(*), max(u.seen_at) from unseen u`,
};

export function postgresRetention({ pool }: Pick<Database, 'pool'>): Retention {
  const dropBy =
    (statement: Statement, first = '-infinity'): DropOld =>
    (ageMs) =>
      dropInPortions(pool, statement, { ageMs, first });
  return {
    finishedJobs: dropBy(DROP_FINISHED_JOBS),
    activity: dropBy(DROP_OLD_ACTIVITY, '0'),
    keptAnswers: dropBy(DROP_KEPT_ANSWERS),
    arrivals: dropBy(DROP_OLD_ARRIVALS),
    followedLogs: dropBy(FORGET_LOGS),
  };
}
