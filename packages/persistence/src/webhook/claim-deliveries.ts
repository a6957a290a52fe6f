import type { ClaimedDelivery, DeliveryType } from '@plugin-config/domain';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { parseTarget, targetAt } from './webhook-target.ts';

/** Nothing is sent for a deleted project, even before its webhooks are erased. */
export const IS_DUE = `w.enabled and w.due_at <= statement_timestamp()
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

/** Claims the next due delivery of each of up to `limit` webhooks. An idle worker runs only the first statement. */
export async function claimDeliveries(
  { pool, configurations }: Pick<EncryptedStore, 'pool' | 'configurations'>,
  limit: number,
  leaseMs: number,
): Promise<readonly ClaimedDelivery[]> {
  if ((await run(pool, FIND_DUE_WEBHOOK, [])).length === 0) return [];
  const rows = await inTransaction(pool, BEGIN_ROW_BY_ROW, async (client) => {
    const locked = await run(client, LOCK_DUE_WEBHOOKS, [limit]);
    const ids = locked.map((row) => numberAt(row, 0));
    return ids.length === 0 ? [] : run(client, CLAIM_DELIVERIES, [ids, leaseMs]);
  });
  // Separately, so a target that cannot be decrypted does not affect the others.
  const decrypted = async ({ target, ...claim }: StoredClaim): Promise<ClaimedDelivery> => {
    const { webhookId: id, projectId, at } = claim;
    try {
      const decrypt = await configurations.decryptTargets(pool, [projectId]);
      return { ...claim, target: targetAt(parseTarget(decrypt({ id, projectId }, target)), at) };
    } catch (error) {
      return { ...claim, target: error instanceof Error ? error : new Error(String(error)) };
    }
  };
  return Promise.all(rows.map((row) => decrypted(CLAIMED.read(row))));
}
