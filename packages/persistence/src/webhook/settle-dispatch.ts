import { DISPATCHES_MAX, type DispatchSettlement, type RunningDispatch } from '@plugin-config/domain';
import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';
import { settleTask } from '../task/settle-task.ts';
import { holdDispatches } from './hold-dispatches.ts';

const LOCK_WEBHOOK = prepared('lock_webhook_to_settle')`
  select from webhook w where w.project_id = $1 and w.id = $2 for no key update`;

/** Does not change a dispatch that was queued again in the meantime, as another task. */
const SETTLE_DISPATCH = prepared('settle_dispatch')`
  update webhook_dispatch d set state = $4, last_status = $5, last_error = $6, last_response = $7,
    due_at = statement_timestamp() + $8::float8 * interval '1 millisecond',
    finished_at = case when $8::float8 is null then statement_timestamp() end
  where d.project_id = $1 and d.webhook_id = $2 and d.id = $3`;

const SETTLE_WEBHOOK = prepared('settle_webhook')`update webhook w set
    paused_at = case
      when w.paused_at is not null and waiting_dispatches(w.project_id, w.id) > ${DISPATCHES_MAX.waiting / 2} then w.paused_at
    end,
    last_delivered_at = case when $3::boolean then statement_timestamp() else w.last_delivered_at end,
    failing_since = case when $3::boolean then null else coalesce(w.failing_since, statement_timestamp()) end
  where w.project_id = $1 and w.id = $2`;

/** Deletes the oldest ended dispatches beyond the number to keep. */
const DROP_SURPLUS = prepared('drop_surplus_dispatches')`delete from webhook_dispatch d
  where d.webhook_id = $1 and d.finished_at is not null and d.number <= (
    select e.number from webhook_dispatch e where e.webhook_id = $1 and e.finished_at is not null
    order by e.number desc offset ${DISPATCHES_MAX.ended} limit 1
  )`;

const DISABLE_WEBHOOK = prepared('disable_webhook')`
  update webhook w set enabled = false, disabled_reason = $3, version = w.version + 1,
    updated_at = greatest(w.updated_at, statement_timestamp())
  where w.project_id = $1 and w.id = $2 and w.enabled`;

/** Stores the result of an attempt. Returns false if the claim is no longer current. Locks the webhook first, like every writer. */
export async function settleDispatch(
  client: pg.ClientBase,
  { id, webhookId, task }: RunningDispatch,
  { outcome: { status, error, response }, verdict, disable }: DispatchSettlement,
): Promise<boolean> {
  const webhook = [task.projectId, webhookId];
  if ((await run(client, LOCK_WEBHOOK, webhook)).length === 0) return false;
  const [state, retryInMs] = typeof verdict === 'object' ? ['pending', verdict.retryInMs] : [verdict, null];
  if (!(await settleTask(client, task, retryInMs === null ? null : { dueInMs: retryInMs }))) return false;
  await run(client, SETTLE_DISPATCH, [...webhook, id, state, status, error, response, retryInMs]);
  await run(client, SETTLE_WEBHOOK, [...webhook, verdict === 'delivered']);
  if (retryInMs === null) await run(client, DROP_SURPLUS, [webhookId]);
  if (disable !== null) {
    await run(client, DISABLE_WEBHOOK, [...webhook, disable]);
    await holdDispatches(client, task.projectId, webhookId);
  }
  return true;
}
