import type { ClaimedDelivery, DeliverySettlement, DisabledReason } from '@plugin-config/domain';
import type pg from 'pg';
import { run, type Statement } from '../postgres/statement.ts';
import { lockCursors, placeCursors } from './place-cursors.ts';

/** Locks the webhook if the claim is current. */
const LOCK_CLAIMED_WEBHOOK: Statement = {
  name: 'lock_claimed_webhook',
  text: `select from webhook w
  where w.project_id = $1 and w.id = $2 and w.claims = $3 and w.leased_until is not null for no key update`,
};

/**
 * Does not change a delivery that was queued again in the meantime. If it failed because its webhook was overloaded, the outcome of
 * this attempt replaces that.
 */
const SETTLE_DELIVERY: Statement = {
  name: 'settle_webhook_delivery',
  text: `update webhook_delivery d set state = $4, last_status = $5, last_error = $6, last_response = $7,
    due_at = statement_timestamp() + $8::float8 * interval '1 millisecond',
    finished_at = case when $8::float8 is null then statement_timestamp() end
  where d.project_id = $1 and d.id = $2 and d.attempts = $3`,
};

/** Ends the lease. The webhook is due again when its next delivery is, but after all webhooks that are waiting now. */
export const SETTLE_WEBHOOK: Statement = {
  name: 'settle_webhook',
  text: `update webhook w set leased_until = null,
    due_at = greatest(
      statement_timestamp(),
      coalesce(
        (
          select d.due_at from webhook_delivery d where d.webhook_id = w.id and d.due_at is not null
          order by d.due_at, d.number limit 1
        ),
        'infinity'
      )
    ),
    last_delivered_at = case when $3::boolean then statement_timestamp() else w.last_delivered_at end,
    failing_since = case when $3::boolean then null else coalesce(w.failing_since, statement_timestamp()) end
  where w.project_id = $1 and w.id = $2`,
};

const DISABLE_WEBHOOK: Statement = {
  name: 'disable_webhook',
  text: `update webhook w set enabled = false, disabled_reason = $3, version = w.version + 1,
    updated_at = greatest(w.updated_at, statement_timestamp())
  where w.project_id = $1 and w.id = $2 and w.enabled`,
};

/** Stores the result of an attempt. Returns false if the claim is no longer current. */
export async function settleDelivery(
  client: pg.ClientBase,
  { id, webhookId, projectId, attempts, claim }: ClaimedDelivery,
  { outcome: { status, error, response }, verdict, disable }: DeliverySettlement,
): Promise<boolean> {
  if (disable !== null) await lockCursors(client, projectId);
  if ((await run(client, LOCK_CLAIMED_WEBHOOK, [projectId, webhookId, claim])).length === 0) return false;
  const [state, retryInMs] = typeof verdict === 'object' ? ['pending', verdict.retryInMs] : [verdict, null];
  await run(client, SETTLE_DELIVERY, [projectId, id, attempts, state, status, error, response, retryInMs]);
  await run(client, SETTLE_WEBHOOK, [projectId, webhookId, verdict === 'delivered']);
  if (disable !== null) await disableWebhook(client, { id: webhookId, projectId }, disable);
  return true;
}

/** Disables a webhook. The cursors must be locked, since it may be the last one that subscribes to record events. */
export async function disableWebhook(
  client: pg.ClientBase,
  { id, projectId }: { readonly id: number; readonly projectId: number },
  reason: DisabledReason,
): Promise<void> {
  await run(client, DISABLE_WEBHOOK, [projectId, id, reason]);
  await placeCursors(client, projectId);
}
