import {
  checkPrecondition,
  projectNotFound,
  type Webhook,
  type WebhookSettings,
  type WebhookStore,
} from '@plugin-config/domain';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run } from '../postgres/statement.ts';
import { lockProject } from '../writing/lock-project.ts';
import { WEBHOOK, webhookOf, type StoredWebhook } from './webhook-columns.ts';
import { newTargetCipher, rotated, targetCipher } from './webhook-target.ts';
import { deleteWebhook, insertWebhook, updateWebhook, type LockedWebhook } from './write-webhook.ts';

const PAGE = pageOf({
  name: 'page_of_webhooks',
  item: WEBHOOK,
  from: 'webhook w where w.project_id = $3 and ($4::integer is null or w.plugin = $4)',
  order: 'id',
});

const FIND_WEBHOOK = prepared('find_webhook')`
  select ${WEBHOOK.sql} from webhook w where w.project_id = $1 and w.id = $2`;

const LOCK_WEBHOOK = prepared('lock_webhook')`${FIND_WEBHOOK.text} for update`;

type Dependencies = Pick<EncryptedStore, 'pool' | 'configurations' | 'masterKeys'>;

export function postgresWebhookStore(database: Dependencies): WebhookStore {
  const { pool, configurations } = database;
  const decrypted = async (
    projectId: number,
    stored: readonly StoredWebhook[],
  ): Promise<readonly Webhook[]> => {
    if (stored.length === 0) return [];
    const cipher = await targetCipher(pool, configurations, projectId);
    return stored.map((each) => webhookOf(each, cipher.decrypt(each)));
  };
  return {
    page: async (projectId, plugin, page) => {
      const { count, items } = await PAGE.read(pool, page, [projectId, plugin]);
      return { count, items: await decrypted(projectId, items) };
    },

    find: async (projectId, id) => {
      const found = (await run(pool, FIND_WEBHOOK, [projectId, id])).map((row) => WEBHOOK.read(row));
      return (await decrypted(projectId, found))[0] ?? null;
    },

    create: (projectId, settings, author) =>
      inTransaction(pool, 'begin', async (client) => {
        if (!(await lockProject(client, projectId))) throw projectNotFound();
        const cipher = await newTargetCipher(client, database, projectId);
        return insertWebhook(client, cipher, { projectId, settings, author });
      }),

    change: (projectId, id, precondition, decide, author) =>
      onLocked(database, { projectId, id }, async (locked) => {
        const before = webhookOf(locked.stored, locked.target);
        checkPrecondition(precondition, before.version);
        const { url, ...settings } = decide(before);
        if (isSame(before, { url, ...settings })) return before;
        const target = { ...locked.target, url };
        return updateWebhook(locked, { ...settings, target, author, action: 'webhook_changed' });
      }),

    delete: async (projectId, id, precondition, author) => {
      const isDeleted = await onLocked(database, { projectId, id }, async (locked) => {
        checkPrecondition(precondition, locked.stored.version);
        await deleteWebhook(locked, author);
        return true;
      });
      return isDeleted ?? false;
    },

    rotate: (projectId, id, author) =>
      onLocked(database, { projectId, id }, async (locked) => {
        const target = rotated(locked.target, author.at);
        const action = 'webhook_rotated';
        const webhook = await updateWebhook(locked, { ...locked.stored, target, author, action });
        return { webhook, secret: target.secret };
      }),
  };
}

/** Runs the work on a locked webhook; null if there is none. */
async function onLocked<T>(
  { pool, configurations }: Dependencies,
  { projectId, id }: Pick<Webhook, 'projectId' | 'id'>,
  work: (locked: LockedWebhook) => Promise<T>,
): Promise<T | null> {
  return inTransaction(pool, 'begin', async (client) => {
    if (!(await lockProject(client, projectId))) return null;
    const [row] = await run(client, LOCK_WEBHOOK, [projectId, id]);
    if (row === undefined) return null;
    const stored = WEBHOOK.read(row);
    const cipher = await targetCipher(client, configurations, projectId);
    return work({ client, cipher, stored, target: cipher.decrypt(stored) });
  });
}

function isSame(before: WebhookSettings, after: WebhookSettings): boolean {
  const { url, events, plugin, enabled } = before;
  return (
    url === after.url &&
    plugin === after.plugin &&
    enabled === after.enabled &&
    String(events) === String(after.events)
  );
}
