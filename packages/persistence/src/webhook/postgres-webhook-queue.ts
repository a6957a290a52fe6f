import type { WebhookQueue } from '@plugin-config/domain';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { claimDeliveries, IS_DUE } from './claim-deliveries.ts';
import { lockCursors } from './place-cursors.ts';
import { disableWebhook, settleDelivery } from './settle-delivery.ts';

const OVERLOADED = columns((row) => ({
  id: row.number('w.id'),
  projectId: row.number('w.project_id'),
}));

/** Includes a webhook whose deliveries have not all failed yet, because its worker was killed. */
const FIND_OVERLOADED: Statement = {
  name: 'find_overloaded_webhooks',
  text: `select ${OVERLOADED.sql} from webhook w
  where (w.enabled or w.disabled_reason = 'failing') and exists (
    select from webhook_delivery d where d.webhook_id = w.id and d.due_at is not null
    order by d.due_at, d.number offset $1::bigint limit 1
  )`,
};

/** The number of deliveries that fail at once. */
const CHUNK = 5000;

/** Ends the next pending deliveries of a webhook while it is disabled, except those that are settled in the meantime. */
const FAIL_PENDING: Statement = {
  name: 'fail_pending_deliveries',
  text: `update webhook_delivery d set state = 'failed', due_at = null, finished_at = statement_timestamp(),
    last_error = 'The webhook was disabled because too many deliveries were pending.'
  where d.project_id = $1 and d.due_at is not null and d.number = any (array(
    select p.number from webhook w join webhook_delivery p on p.webhook_id = w.id
    where w.project_id = $1 and w.id = $2 and not w.enabled and p.due_at is not null
    order by p.due_at, p.number limit ${CHUNK}
  ))
  returning 1`,
};

/** Bounded, because each worker counts every few seconds. */
const COUNTED_MAX = 100_000;

const BACKLOG = columns((row) => ({
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

const READ_BACKLOG: Statement = { name: 'webhook_backlog', text: `select ${BACKLOG.sql}` };

export function postgresWebhookQueue(
  database: Pick<EncryptedStore, 'pool' | 'configurations'>,
): WebhookQueue {
  const { pool } = database;
  return {
    claim: (limit, leaseMs) => claimDeliveries(database, limit, leaseMs),

    settle: (delivery, settlement) =>
      inTransaction(pool, 'begin', (client) => settleDelivery(client, delivery, settlement)),

    disableOverloaded: async (pendingMax) => {
      const overloaded = (await run(pool, FIND_OVERLOADED, [pendingMax])).map((row) => OVERLOADED.read(row));
      for (const webhook of overloaded) {
        const { id, projectId } = webhook;
        await inTransaction(pool, 'begin', async (client) => {
          await lockCursors(client, projectId);
          await disableWebhook(client, webhook, 'failing');
        });
        while ((await run(pool, FAIL_PENDING, [projectId, id])).length > 0);
      }
      return overloaded.map(({ id }) => id);
    },

    backlog: async () => {
      const [row = []] = await run(pool, READ_BACKLOG, []);
      return BACKLOG.read(row);
    },
  };
}
