import type { LogArrivalUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { dropInPortions, PORTION, RETENTION_LOCK } from '../postgres/drop-in-portions.ts';
import type { Statement } from '../postgres/statement.ts';

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

export function postgresLogArrivalUpkeep({ pool }: Pick<Database, 'pool'>): LogArrivalUpkeep {
  return {
    dropOld: (ageMs) => dropInPortions(pool, DROP_OLD_ARRIVALS, { ageMs, first: '-infinity' }),
    forget: (ageMs) => dropInPortions(pool, FORGET_LOGS, { ageMs, first: '-infinity' }),
  };
}
