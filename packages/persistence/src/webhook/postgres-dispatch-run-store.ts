import type { DispatchRunStore, DispatchType, RunningDispatch } from '@plugin-config/domain';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { settleTask } from '../task/settle-task.ts';
import { settleDispatch } from './settle-dispatch.ts';
import { parseTarget, targetAt } from './webhook-target.ts';

const LOCKED = columns((row) => ({
  isEnabled: row.flag('w.enabled'),
  target: row.text('w.target') satisfies Ciphertext,
  failingSince: row.dateOrNull('w.failing_since'),
  at: row.date('statement_timestamp()::timestamptz(3)'),
}));

/** Locks the webhook, so that it is not enabled while its dispatch is held. */
const LOCK_WEBHOOK_OF_TASK: Statement = {
  name: 'lock_webhook_of_task',
  text: `select ${LOCKED.sql} from webhook w where w.project_id = $1 and w.id = $2 for no key update`,
};

const BEGUN = columns((row): Pick<RunningDispatch, 'id' | 'type' | 'payload' | 'attempts'> => ({
  id: row.text('d.id'),
  type: row.text('d.type') as DispatchType,
  payload: row.text('d.payload'),
  attempts: row.number('d.attempts'),
}));

const BEGIN_DISPATCH: Statement = {
  name: 'begin_dispatch',
  text: `update webhook_dispatch d set attempts = d.attempts + 1
  where d.project_id = $1 and d.webhook_id = $2 and d.number = $3 and d.finished_at is null
  returning ${BEGUN.sql}`,
};

export function postgresDispatchRunStore(
  database: Pick<EncryptedStore, 'pool' | 'configurations'>,
): DispatchRunStore {
  const { pool, configurations } = database;
  return {
    begin: async (task) => {
      const { projectId, key: webhookId, payload: number } = task;
      const begun = await inTransaction(pool, 'begin', async (client) => {
        const [row] = await run(client, LOCK_WEBHOOK_OF_TASK, [projectId, webhookId]);
        const webhook = row && LOCKED.read(row);
        if (webhook?.isEnabled === true) {
          const [cells] = await run(client, BEGIN_DISPATCH, [projectId, webhookId, number]);
          if (cells !== undefined) return { ...webhook, ...BEGUN.read(cells) };
        }
        const isHeld = webhook?.isEnabled === false;
        await settleTask(client, task, isHeld ? { dueInMs: Number.POSITIVE_INFINITY } : null);
        return null;
      });
      if (begun === null) return null;
      const { isEnabled: _, target: ciphertext, ...dispatch } = begun;
      // Separately, so a target that cannot be decrypted does not affect the others.
      const decrypted = async () => {
        const decrypt = await configurations.decryptTargets(pool, [projectId]);
        return targetAt(parseTarget(decrypt({ id: webhookId, projectId }, ciphertext)), dispatch.at);
      };
      const target = await decrypted().catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      return { ...dispatch, webhookId, task, target };
    },

    settle: (dispatch, settlement) =>
      inTransaction(pool, 'begin', (client) => settleDispatch(client, dispatch, settlement)),
  };
}
