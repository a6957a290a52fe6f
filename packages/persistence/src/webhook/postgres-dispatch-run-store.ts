import { DISPATCHES_MAX, type DispatchRunStore } from '@plugin-config/domain';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { settleTask } from '../task/settle-task.ts';
import { settleDispatch } from './settle-dispatch.ts';
import { DISPATCH, WEBHOOK } from './webhook-columns.ts';
import { parseTarget, targetAt } from './webhook-target.ts';

const LOCKED = columns((row) => ({
  webhook: row.all(WEBHOOK),
  at: row.date('statement_timestamp()::timestamptz(3)'),
}));

/** Locks the webhook, so it is not enabled while its dispatch is held. */
const LOCK_WEBHOOK_OF_TASK = prepared('lock_webhook_of_task')`
  select ${LOCKED.sql} from webhook w where w.project_id = $1 and w.id = $2 for no key update`;

const BEGIN_DISPATCH = prepared('begin_dispatch')`update webhook_dispatch d set attempts = d.attempts + 1
  where d.project_id = $1 and d.webhook_id = $2 and d.number = $3 and d.finished_at is null
  returning ${DISPATCH.sql}`;

/** An event may be queued while its webhook is deleted. */
const DROP_ORPHAN = prepared('drop_orphaned_dispatch')`
  delete from webhook_dispatch d where d.project_id = $1 and d.webhook_id = $2 and d.number = $3`;

export function postgresDispatchRunStore(
  database: Pick<EncryptedStore, 'pool' | 'configurations'>,
): DispatchRunStore {
  const { pool, configurations } = database;
  return {
    begin: async (task) => {
      const { projectId, key, payload: number } = task;
      const webhookId = Math.floor(key / DISPATCHES_MAX.inFlight);
      const begun = await inTransaction(pool, 'begin', async (client) => {
        const [row] = await run(client, LOCK_WEBHOOK_OF_TASK, [projectId, webhookId]);
        const locked = row && LOCKED.read(row);
        if (locked?.webhook.enabled === true) {
          const [cells] = await run(client, BEGIN_DISPATCH, [projectId, webhookId, number]);
          if (cells !== undefined) return { ...locked, dispatch: DISPATCH.read(cells) };
        }
        if (locked === undefined) await run(client, DROP_ORPHAN, [projectId, webhookId, number]);
        const isHeld = locked?.webhook.enabled === false;
        await settleTask(client, task, isHeld ? { dueInMs: Number.POSITIVE_INFINITY } : null);
        return null;
      });
      if (begun === null) return null;
      const { webhook, at } = begun;
      const { id, type, payload, attempts } = begun.dispatch;
      // Separately, so a target that cannot be decrypted does not affect the others.
      const decrypted = async () => {
        const decrypt = await configurations.decryptTargets(pool, [projectId]);
        return targetAt(parseTarget(decrypt(webhook, webhook.target)), at);
      };
      const target = await decrypted().catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      return { id, webhookId, type, payload, attempts, failingSince: webhook.failingSince, at, task, target };
    },

    settle: (dispatch, settlement) =>
      inTransaction(pool, 'begin', (client) => settleDispatch(client, dispatch, settlement)),
  };
}
