import type { ActivityUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { dropInPortions, RETENTION_LOCK, PORTION } from '../postgres/drop-in-portions.ts';
import type { Statement } from '../postgres/statement.ts';

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

export function postgresActivityUpkeep({ pool }: Pick<Database, 'pool'>): ActivityUpkeep {
  return { dropOld: (ageMs) => dropInPortions(pool, DROP_OLD_ACTIVITY, { ageMs, first: '0' }) };
}
