import type { KeptAnswerUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { dropInPortions, RETENTION_LOCK, PORTION } from '../postgres/drop-in-portions.ts';
import type { Statement } from '../postgres/statement.ts';

/** Deletes a portion that begins at a time. */
export const DROP_KEPT_ANSWERS: Statement = {
  name: 'drop_kept_answers',
  text: `with ${RETENTION_LOCK},
  sized as (
    select o.name, sum(o.bytes) over (order by o.kept_at, o.name) - o.bytes as ahead
    from (
      select k.name, k.kept_at, pg_column_size(k.answer) as bytes
      from kept_answer k
      where k.kept_at >= $2::timestamptz
        and k.kept_at <= statement_timestamp() - $1 * interval '1 millisecond' and (select mine from lock)
      order by k.kept_at, k.name limit ${PORTION.rows}
    ) o
  ),
  gone as (
    delete from kept_answer k where k.name = any (array(select s.name from sized s where s.ahead < ${PORTION.bytes}))
    returning k.kept_at
  )
  select count(*), max(g.kept_at) from gone g`,
};

export function postgresKeptAnswerUpkeep({ pool }: Pick<Database, 'pool'>): KeptAnswerUpkeep {
  return { dropOld: (ageMs) => dropInPortions(pool, DROP_KEPT_ANSWERS, { ageMs, first: '-infinity' }) };
}
