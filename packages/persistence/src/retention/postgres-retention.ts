import type { DropOld, Retention } from '@plugin-config/domain';
import { EARLIEST_KEPT } from '../log/hours/hour-counts.ts';
import type { Database } from '../postgres/database.ts';
import { notifyListeners } from '../postgres/notify-listeners.ts';
import { prepared, type Statement } from '../postgres/statement.ts';
import { forgetReportIds } from '../delivery/report-ids.ts';
import { CHUNK, dropInChunks, dropOldIds, dropOldRows, RETENTION_LOCK } from './drop-old-rows.ts';

export const DROP_FINISHED_JOBS = dropOldRows('drop_finished_jobs', {
  table: 'job',
  since: 't.finished_at',
  bytes:
    'pg_column_size(t.work) + coalesce(pg_column_size(t.error), 0) + coalesce(pg_column_size(t.output), 0)',
});

/** There are few checks, so they need no index by time. */
const DROP_CHECKS = prepared('drop_checks')`with ${RETENTION_LOCK},
  gone as (
    delete from job j where j.id = any (array(
      select c.id from job c
      where c.record_id is null and c.finished_at <= statement_timestamp() - $1 * interval '1 millisecond'
        and $2::bigint = 0 and (select mine from lock)
      limit ${CHUNK.rows}
    ))
    returning 1
  )
  select count(*), case when count(*) = ${CHUNK.rows} then 0 end from gone`;

export const DROP_KEPT_RESPONSES = dropOldRows('drop_kept_responses', {
  table: 'kept_response',
  since: 't.kept_at',
  bytes: 'pg_column_size(t.response)',
});

export const DROP_OLD_SEQUENCE = dropOldRows('drop_old_log_sequence', {
  table: 'log_sequence',
  since: 't.arrived_at',
});

export const DROP_DELIVERY_SUMS = dropOldRows('drop_delivery_sums', {
  table: 'delivery_sum',
  since: 't.span',
});

export const DROP_FAILED_DELIVERIES = dropOldRows('drop_failed_deliveries', {
  table: 'failed_delivery',
  since: 't.at',
});

export const DROP_LOG_HOURS = dropOldRows('drop_log_hours', {
  table: 'log_hour',
  since: 't.hour',
  keptFrom: EARLIEST_KEPT,
});

const DROP_PROJECT_HOURS = dropOldRows('drop_log_project_hours', {
  table: 'log_project_hour',
  since: 't.hour',
  keptFrom: EARLIEST_KEPT,
});

const DROP_CLOSED_INCIDENTS = dropOldRows('drop_closed_incidents', {
  table: 'incident',
  since: 't.closed_at',
});

export const DROP_DISPATCHES = dropOldRows('drop_dispatches', {
  table: 'webhook_dispatch',
  since: 't.finished_at',
  bytes: 'pg_column_size(t.payload) + coalesce(pg_column_size(t.last_response), 0)',
});

const DROP_USAGE = dropOldRows('drop_log_usage', { table: 'log_usage', since: 't.day' });

/**
 * Locks the followers first, like `follow`, so a log that is followed again in between is kept. Wakes the streams of forgotten
 * logs, which then start over.
 */
export const FORGET_LOGS = dropOldRows(
  'forget_logs',
  { table: 'log_follower', since: 't.seen_at' },
  {
    column: 't.record_id',
    queries: `forgotten as (
    delete from log_follow l where l.record_id = any (array(select g.record_id from gone g))
    returning l.record_id
  ),
  -- Joined only to make PostgreSQL run it.
  last as (
    select ${notifyListeners('f.ids')}
    from (select array(select record_id from forgotten) as ids offset 0) f where cardinality(f.ids) > 0
  )`,
  },
);

/** Has no index by time, which each new entry would have to update. */
export const DROP_OLD_ACTIVITY = dropOldIds('drop_old_activity', {
  table: 'activity',
  since: 't.created_at',
  bytes: 't.changes_bytes',
});

/** There is no index by time, since each report would have to update it. */
const FORGET_RUNTIMES = dropOldIds('forget_runtimes', {
  table: 'runtime_instance',
  since: 't.last_seen_at',
});

const FORGET_HOSTS = dropOldIds('forget_hosts', { table: 'runtime_host', since: 't.last_seen_at' });

/**
 * Deletes a chunk of revisions of the records after an id, and keeps $1 per record. Skips from record to record in the index,
 * with one lookup each. Returns the number of deleted rows and the record to continue after; null after the last one.
 */
export const DROP_REVISIONS = prepared('drop_revisions')`with recursive ${RETENTION_LOCK},
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
  end`;

export function postgresRetention({ pool }: Pick<Database, 'pool'>): Retention {
  const dropFrom = (first: string, statements: readonly Statement[]): DropOld =>
    async function* dropOld(kept) {
      for (const statement of statements) yield* dropInChunks(pool, statement, { kept, first });
    };
  const byTime = (...statements: readonly Statement[]): DropOld => dropFrom('-infinity', statements);
  const byId = (...statements: readonly Statement[]): DropOld => dropFrom('0', statements);
  return {
    jobs: byTime(DROP_FINISHED_JOBS),
    checks: byId(DROP_CHECKS),
    activity: byId(DROP_OLD_ACTIVITY),
    keptResponses: byTime(DROP_KEPT_RESPONSES),
    sequence: byTime(DROP_OLD_SEQUENCE),
    followedLogs: byTime(FORGET_LOGS),
    revisions: byId(DROP_REVISIONS),
    runtimes: byId(FORGET_RUNTIMES, FORGET_HOSTS),
    incidents: byTime(DROP_CLOSED_INCIDENTS),
    dispatches: byTime(DROP_DISPATCHES),
    daysOfUsage: byTime(DROP_USAGE),
    deliveries: byTime(DROP_DELIVERY_SUMS, DROP_FAILED_DELIVERIES),
    logCounts: byTime(DROP_LOG_HOURS, DROP_PROJECT_HOURS),
    reportIds: () => forgetReportIds(pool),
  };
}
