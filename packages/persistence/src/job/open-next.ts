import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';

/**
 * Opens the next job of a record, if none is open or taken. Its transaction has locked the family, like those that queue jobs. The worker
 * ends the jobs of a deleted record.
 */
const OPEN_NEXT = prepared('open_next_job')`with next as (
    select t.id, t.payload::uuid as job_id, coalesce(
      (select r.deleted from config_record r where r.id = $2), true
    ) as is_deleted
    from task t
    where t.project_id = $1 and t.kind = 'plugin_job' and t.key = $2 and coalesce(t.due_at, '-infinity') = 'infinity'
      and not exists (
        select from task o where o.project_id = $1 and o.kind = 'plugin_job' and o.key = $2 and o.due_at is distinct from 'infinity'
      )
    order by t.id limit 1
  ),
  opened as (
    update task t set due_at = null, lease_until = case when n.is_deleted then '-infinity'::timestamptz end
    from next n where t.id = n.id
  )
  update job j set open_at = clock_timestamp() from next n where j.id = n.job_id and not n.is_deleted`;

export async function openNext(client: pg.ClientBase, projectId: number, recordId: number): Promise<void> {
  await run(client, OPEN_NEXT, [projectId, recordId]);
}
