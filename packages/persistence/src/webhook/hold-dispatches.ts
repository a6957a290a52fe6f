import { DISPATCHES_MAX, RETRIED_MS } from '@plugin-config/domain';
import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';

const FIRST_KEY = `$2::bigint * ${DISPATCHES_MAX.inFlight}`;

/** Whether a task is one of a webhook (`dispatch_key`). */
export const OF_WEBHOOK = `t.project_id = $1 and t.kind = 'dispatch'
  and t.key between ${FIRST_KEY} and ${FIRST_KEY} + ${DISPATCHES_MAX.inFlight - 1}`;

/** Written so that no plan reads the index of all tasks that wait. */
const IS_HELD = `coalesce(t.due_at, '-infinity') = 'infinity'`;

const HOLD = prepared('hold_dispatches')`
  update task t set due_at = 'infinity' where ${OF_WEBHOOK} and t.lease_until is null`;

/** Fails the dispatches that have waited too long, except one that is being attempted. */
const FAIL_OLD = prepared('fail_old_dispatches')`with old as (
    delete from task t
    where ${OF_WEBHOOK} and ${IS_HELD} and (
      select d.created_at < statement_timestamp() - $3::float8 * interval '1 millisecond'
      from webhook_dispatch d where d.number = t.payload::bigint
    )
    returning t.payload::bigint as number
  )
  update webhook_dispatch d set state = 'failed', due_at = null, finished_at = statement_timestamp(),
    last_error = 'The webhook was disabled for too long.'
  where d.number = any (array(select o.number from old o))`;

const RELEASE = prepared('release_dispatches')`
  update task t set due_at = null where ${OF_WEBHOOK} and ${IS_HELD}`;

const REMOVE = prepared('remove_dispatch_tasks')`delete from task t where ${OF_WEBHOOK}`;

/** Lets the dispatches of a disabled webhook wait. The webhook must be locked, here and below. */
export async function holdDispatches(client: pg.ClientBase, projectId: number, id: number): Promise<void> {
  await run(client, HOLD, [projectId, id]);
}

/** Makes the dispatches of an enabled webhook due. */
export async function releaseDispatches(client: pg.ClientBase, projectId: number, id: number): Promise<void> {
  await run(client, FAIL_OLD, [projectId, id, RETRIED_MS]);
  await run(client, RELEASE, [projectId, id]);
}

export async function removeTasks(client: pg.ClientBase, projectId: number, id: number): Promise<void> {
  await run(client, REMOVE, [projectId, id]);
}
