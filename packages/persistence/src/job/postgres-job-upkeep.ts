import type { JobUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { dropInPortions, RETENTION_LOCK, PORTION } from '../postgres/drop-in-portions.ts';
import type { Statement } from '../postgres/statement.ts';

/** Deletes a portion that begins at a time. */
export const DROP_FINISHED_JOBS: Statement = {
  name: 'drop_finished_jobs',
  text: `with ${RETENTION_LOCK},
  sized as (
    select o.id, sum(o.bytes) over (order by o.finished_at, o.id) - o.bytes as ahead
    from (
      select j.id, j.finished_at, pg_column_size(j.work) + coalesce(pg_column_size(j.error), 0) as bytes
      from job j
      where j.finished_at is not null and j.finished_at >= $2::timestamptz
        and j.finished_at <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
      order by j.finished_at, j.id limit ${PORTION.rows}
    ) o
  ),
  gone as (
    delete from job j where j.id = any (array(select s.id from sized s where s.ahead < ${PORTION.bytes}))
    returning j.finished_at
  )
  select count(*), max(g.finished_at) from gone g`,
};

export function postgresJobUpkeep({ pool }: Pick<Database, 'pool'>): JobUpkeep {
  return { dropFinished: (ageMs) => dropInPortions(pool, DROP_FINISHED_JOBS, { ageMs, first: '-infinity' }) };
}
