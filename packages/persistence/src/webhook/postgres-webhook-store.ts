import {
  checkPrecondition,
  projectNotFound,
  type Webhook,
  type WebhookSettings,
  type WebhookStore,
} from '@plugin-config/domain';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { readPage } from '../postgres/read-page.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { lockProject } from '../writing/lock-project.ts';
import { WEBHOOK, webhookOf } from './webhook-columns.ts';
import { rotated, targetCipher } from './webhook-target.ts';
import { deleteWebhook, insertWebhook, updateWebhook, type LockedWebhook } from './write-webhook.ts';

const LISTED = columns((row) => ({
  item: row.allOrNull(WEBHOOK),
  count: row.number('(select count(*) from webhook c where c.project_id = $1)'),
}));

const WEBHOOK_PAGE: Statement = {
  name: 'page_of_webhooks',
  text: `select ${LISTED.sql}
  from (select) one
  left join (select * from webhook o where o.project_id = $1 order by o.id limit $2 offset $3) w on true
  order by w.id`,
};

const FIND_WEBHOOK: Statement = {
  name: 'find_webhook',
  text: `select ${WEBHOOK.sql} from webhook w where w.project_id = $1 and w.id = $2`,
};

const LOCK_WEBHOOK: Statement = { name: 'lock_webhook', text: `${FIND_WEBHOOK.text} for update` };

type Dependencies = Pick<EncryptedStore, 'pool' | 'configurations'>;

export function postgresWebhookStore(database: Dependencies): WebhookStore {
  const { pool } = database;
  return {
    page: async (projectId, { limit, offset }) => {
      const cipher = await targetCipher(database, projectId);
      const page = { statement: WEBHOOK_PAGE, listed: LISTED };
      const { count, items } = await readPage(pool, page, [projectId, limit, offset]);
      return { count, items: items.map((item) => webhookOf(item, cipher.decrypt(item))) };
    },

    find: async (projectId, id) => {
      const [row] = await run(pool, FIND_WEBHOOK, [projectId, id]);
      if (row === undefined) return null;
      const stored = WEBHOOK.read(row);
      return webhookOf(stored, (await targetCipher(database, projectId)).decrypt(stored));
    },

    create: async (projectId, settings, author) => {
      const cipher = await targetCipher(database, projectId);
      return inTransaction(pool, 'begin', async (client) => {
        if (!(await lockProject(client, projectId))) throw projectNotFound();
        return insertWebhook(client, cipher, { projectId, settings, author });
      });
    },

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
        const { events, enabled } = locked.stored;
        const target = rotated(locked.target, author.at);
        const action = 'webhook_rotated';
        const webhook = await updateWebhook(locked, { events, enabled, target, author, action });
        return { webhook, secret: target.secret };
      }),
  };
}

/** Runs the work on a locked webhook; null if there is none. */
async function onLocked<T>(
  database: Dependencies,
  { projectId, id }: Pick<Webhook, 'projectId' | 'id'>,
  work: (locked: LockedWebhook) => Promise<T>,
): Promise<T | null> {
  const cipher = await targetCipher(database, projectId);
  return inTransaction(database.pool, 'begin', async (client) => {
    if (!(await lockProject(client, projectId))) return null;
    const [row] = await run(client, LOCK_WEBHOOK, [projectId, id]);
    if (row === undefined) return null;
    const stored = WEBHOOK.read(row);
    return work({ client, cipher, stored, target: cipher.decrypt(stored) });
  });
}

function isSame(before: WebhookSettings, after: WebhookSettings): boolean {
  const { url, events, enabled } = before;
  return url === after.url && enabled === after.enabled && String(events) === String(after.events);
}
