import type pg from 'pg';
import { numberAt } from '../../postgres/columns.ts';
import { inTransaction } from '../../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../../postgres/plans.ts';
import { prepared, run } from '../../postgres/statement.ts';
import { SUMS, TOTALS } from './hour-counts.ts';

/** The maximum number of deltas per transaction. */
const DELTAS_MAX = 10_000;

/** Deletes deltas and adds them to the counters of projects. */
const SUM_UP = prepared('sum_up_log_hours_of_projects')`with taken as (
    delete from log_project_delta where id = any (array(
      select id from log_project_delta order by id limit ${DELTAS_MAX} for update skip locked
    ))
    returning project_id, hour, counts
  ),
  summed as (
    insert into log_project_hour as h (project_id, hour, counts)
    select t.project_id, t.hour, ${TOTALS('t')}
    from taken t
    group by 1, 2 order by 1, 2
    on conflict (project_id, hour) do update set counts = ${SUMS('h', 'excluded')}
  )
  select count(*) from taken`;

/**
 * Adds the deltas of batches until few are left. Batches do not do this themselves, since batches of the same project would wait
 * for each other.
 */
export async function sumUpProjectHours(pool: pg.Pool): Promise<void> {
  const sumUp = () =>
    inTransaction(pool, BEGIN_ROW_BY_ROW, async (client) => {
      const [row] = await run(client, SUM_UP, []);
      return row === undefined ? 0 : numberAt(row, 0);
    });
  while ((await sumUp()) === DELTAS_MAX);
}
