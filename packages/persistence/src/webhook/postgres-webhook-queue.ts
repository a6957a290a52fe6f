import {
  PENDING_MAX,
  type ClaimedDelivery,
  type DeliverySettlement,
  type DeliveryState,
  type DeliveryType,
  type DisabledReason,
  type WebhookQueue,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { lockCursors, placeCursors } from './place-cursors.ts';
import { parseTarget, targetAt } from './webhook-target.ts';

/** Nothing is sent for a deleted project, even before its webhooks are erased. */
const IS_DUE = `w.enabled and w.due_at <= statement_timestamp()
    and (w.leased_until is null or w.leased_until <= statement_timestamp())
    and exists (select from project p where p.id = w.project_id)`;

export const FIND_DUE_WEBHOOK: Statement = {
  name: 'find_due_webhook',
  text: `select from webhook w where ${IS_DUE} limit 1`,
};

/** Locks the webhooks that have waited longest. */
export const LOCK_DUE_WEBHOOKS: Statement = {
  name: 'lock_due_webhooks',
  text: `select w.id from webhook w where ${IS_DUE} order by w.due_at, w.id limit $1 for no key update skip locked`,
};

interface StoredClaim extends Omit<ClaimedDelivery, 'target'> {
  readonly target: Ciphertext;
}

const CLAIMED = columns((row): StoredClaim => ({
  id: row.text('d.id'),
  webhookId: row.number('d.webhook_id'),
  projectId: row.number('d.project_id'),
  type: row.text('d.type') as DeliveryType,
  payload: row.text('d.payload'),
  attempts: row.number('d.attempts'),
  at: row.date('statement_timestamp()::timestamptz(3)'),
  claim: row.number('w.claims'),
  target: row.text('w.target'),
  failingSince: row.dateOrNull('w.failing_since'),
}));

/**
 * Claims the next due delivery of each locked webhook. A separate statement, so it sees everything that was queued before the
 * webhooks were locked. A webhook without a due delivery is due again when its next one is.
 */
export const CLAIM_DELIVERIES: Statement = {
  name: 'claim_webhook_deliveries',
  text: `with next as materialized (
    select w.id as webhook_id, n.id
    from webhook w
    left join lateral (
      select d.id from webhook_delivery d
      where d.webhook_id = w.id and d.due_at <= statement_timestamp() order by d.due_at, d.number limit 1
    ) n on true
    where w.id = any ($1::bigint[])
  ),
  leased as (
    update webhook w set
      claims = w.claims + 1,
      leased_until = case when n.id is not null then statement_timestamp() + $2 * interval '1 millisecond' end,
      due_at = case when n.id is not null then w.due_at else coalesce(
        (select min(d.due_at) from webhook_delivery d where d.webhook_id = w.id and d.due_at is not null), 'infinity'
      ) end
    from next n where w.id = n.webhook_id
    returning w.*
  ),
  claimed as (
    update webhook_delivery d set attempts = d.attempts + 1 from next n where d.id = n.id returning d.*
  )
  select ${CLAIMED.sql} from claimed d join leased w on w.id = d.webhook_id`,
};

/** Locks the webhook if the claim is current. */
const LOCK_CLAIMED_WEBHOOK: Statement = {
  name: 'lock_claimed_webhook',
  text: `select from webhook w where w.id = $1 and w.claims = $2 and w.leased_until is not null for no key update`,
};

/** Does not change a delivery that was queued again in the meantime. */
const SETTLE_DELIVERY: Statement = {
  name: 'settle_webhook_delivery',
  text: `update webhook_delivery d set state = $3, last_status = $4, last_error = $5, last_response = $6,
    due_at = statement_timestamp() + $7::float8 * interval '1 millisecond',
    finished_at = case when $7::float8 is null then statement_timestamp() end
  where d.id = $1 and d.attempts = $2 and d.state = 'pending'`,
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
    last_delivered_at = case when $2::boolean then statement_timestamp() else w.last_delivered_at end,
    failing_since = case when $2::boolean then null else coalesce(w.failing_since, statement_timestamp()) end
  where w.id = $1`,
};

const OVERLOADED_COLUMNS = columns((row) => ({
  id: row.number('w.id'),
  projectId: row.number('w.project_id'),
}));

const FIND_OVERLOADED: Statement = {
  name: 'find_overloaded_webhooks',
  text: `select ${OVERLOADED_COLUMNS.sql} from webhook w
  where w.enabled and exists (
    select from webhook_delivery d where d.webhook_id = w.id and d.due_at is not null
    order by d.due_at, d.number offset ${PENDING_MAX} limit 1
  )`,
};

const DISABLE_WEBHOOK: Statement = {
  name: 'disable_webhook',
  text: `update webhook w set enabled = false, disabled_reason = $2, version = w.version + 1, updated_at = statement_timestamp()
  where w.id = $1 and w.enabled`,
};

/** Bounded, because each worker counts every few seconds. */
const COUNTED_MAX = 100_000;

const BACKLOG_COLUMNS = columns((row) => ({
  pending: row.number(`(
    select count(*) from (
      select from webhook_delivery d join webhook w on w.id = d.webhook_id and w.enabled
      where d.due_at is not null limit ${COUNTED_MAX}
    ) counted
  )`),
  oldestDueMs: row.number(
    `coalesce((select extract(epoch from statement_timestamp() - min(w.due_at)) * 1000 from webhook w where ${IS_DUE}), 0)`,
  ),
}));

const BACKLOG: Statement = { name: 'webhook_backlog', text: `select ${BACKLOG_COLUMNS.sql}` };

type Dependencies = Pick<EncryptedStore, 'pool' | 'configurations'>;

export function postgresWebhookQueue({ pool, configurations }: Dependencies): WebhookQueue {
  return {
    claim: async (limit, leaseMs) => {
      if ((await run(pool, FIND_DUE_WEBHOOK, [])).length === 0) return [];
      const claimed = await inTransaction(pool, BEGIN_ROW_BY_ROW, async (client) => {
        const locked = await run(client, LOCK_DUE_WEBHOOKS, [limit]);
        const ids = locked.map((row) => numberAt(row, 0));
        return ids.length === 0 ? [] : run(client, CLAIM_DELIVERIES, [ids, leaseMs]);
      });
      return withTargets(
        { pool, configurations },
        claimed.map((row) => CLAIMED.read(row)),
      );
    },

    settle: (delivery, settlement) =>
      inTransaction(pool, 'begin', (client) => settle(client, delivery, settlement)),

    disableOverloaded: async () => {
      const overloaded = (await run(pool, FIND_OVERLOADED, [])).map((row) => OVERLOADED_COLUMNS.read(row));
      for (const webhook of overloaded) {
        await inTransaction(pool, 'begin', async (client) => {
          await lockCursors(client, webhook.projectId);
          await disableWebhook(client, webhook, 'failing');
        });
      }
      return overloaded.map(({ id }) => id);
    },

    backlog: async () => {
      const [row = []] = await run(pool, BACKLOG, []);
      return BACKLOG_COLUMNS.read(row);
    },
  };
}

/** Decrypts each target separately, so a failure does not affect the others. */
async function withTargets(
  { pool, configurations }: Dependencies,
  claimed: readonly StoredClaim[],
): Promise<readonly ClaimedDelivery[]> {
  const decrypted = async ({ target, ...claim }: StoredClaim): Promise<ClaimedDelivery> => {
    const { webhookId: id, projectId, at } = claim;
    try {
      const decrypt = await configurations.decryptTargets(pool, [projectId]);
      return { ...claim, target: targetAt(parseTarget(decrypt({ id, projectId }, target)), at) };
    } catch (error) {
      return { ...claim, target: error instanceof Error ? error : new Error(String(error)) };
    }
  };
  return Promise.all(claimed.map(decrypted));
}

async function settle(
  client: pg.ClientBase,
  { id, webhookId, projectId, attempts, claim }: ClaimedDelivery,
  { outcome, verdict, disable }: DeliverySettlement,
): Promise<boolean> {
  // A disabled webhook may have been the last one that subscribed to record events.
  if (disable !== null) await lockCursors(client, projectId);
  if ((await run(client, LOCK_CLAIMED_WEBHOOK, [webhookId, claim])).length === 0) return false;
  const { status, error, response } = outcome;
  const retryInMs = typeof verdict === 'object' ? verdict.retryInMs : null;
  const state = stateAfter(verdict);
  await run(client, SETTLE_DELIVERY, [id, attempts, state, status, error, response, retryInMs]);
  await run(client, SETTLE_WEBHOOK, [webhookId, verdict === 'delivered']);
  if (disable !== null) await disableWebhook(client, { id: webhookId, projectId }, disable);
  return true;
}

/** The cursors must be locked. */
async function disableWebhook(
  client: pg.ClientBase,
  { id, projectId }: { readonly id: number; readonly projectId: number },
  reason: DisabledReason,
): Promise<void> {
  await run(client, DISABLE_WEBHOOK, [id, reason]);
  await placeCursors(client, projectId);
}

function stateAfter(verdict: DeliverySettlement['verdict']): DeliveryState {
  if (typeof verdict === 'object') return 'pending';
  return verdict === 'gone' ? 'failed' : verdict;
}
