import {
  checkPrecondition,
  projectNotFound,
  tooManyWebhooks,
  WEBHOOKS_MAX,
  type AuditAction,
  type Author,
  type SignedWebhook,
  type Webhook,
  type WebhookSettings,
  type WebhookStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { createOnce } from '../idempotency/create-once.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { lockCursors, placeCursors } from './place-cursors.ts';
import { WEBHOOK, webhookOf, type StoredWebhook } from './webhook-columns.ts';
import { newSecret, rotated, targetCipher, type StoredTarget, type TargetCipher } from './webhook-target.ts';

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

const COUNT_WEBHOOKS: Statement = {
  name: 'count_webhooks',
  text: 'select count(*) from webhook w where w.project_id = $1',
};

/** The target follows, since its encryption needs the id. */
const INSERT_WEBHOOK: Statement = {
  name: 'insert_webhook',
  text: `insert into webhook as w (project_id, target, events, enabled, version, created_at, updated_at, due_at)
  values ($1, '', $2, $3, 1, $4, $4, 'infinity') returning w.id`,
};

const SET_TARGET: Statement = {
  name: 'set_webhook_target',
  text: `update webhook w set target = $2 where w.id = $1 returning ${WEBHOOK.sql}`,
};

const UPDATE_WEBHOOK: Statement = {
  name: 'update_webhook',
  text: `update webhook w set target = $2, events = $3, enabled = $4, version = w.version + 1,
    updated_at = greatest(w.updated_at, $5),
    disabled_reason = case when $4 then null else w.disabled_reason end,
    failing_since = case when $6::boolean then null else w.failing_since end
  where w.id = $1
  returning ${WEBHOOK.sql}`,
};

const DELETE_WEBHOOK: Statement = { name: 'delete_webhook', text: 'delete from webhook where id = $1' };

type Dependencies = Pick<EncryptedStore, 'pool' | 'configurations'>;

export function postgresWebhookStore(database: Dependencies): WebhookStore {
  const { pool } = database;
  return {
    page: async (projectId, { limit, offset }) => {
      const cipher = await targetCipher(database, projectId);
      const rows = (await run(pool, WEBHOOK_PAGE, [projectId, limit, offset])).map((row) => LISTED.read(row));
      const items = rows.flatMap(({ item }) => (item === null ? [] : webhookOf(item, cipher.decrypt(item))));
      return { count: rows[0]?.count ?? 0, items };
    },

    find: async (projectId, id) => {
      const [row] = await run(pool, FIND_WEBHOOK, [projectId, id]);
      if (row === undefined) return null;
      const stored = WEBHOOK.read(row);
      return webhookOf(stored, (await targetCipher(database, projectId)).decrypt(stored));
    },

    create: async (projectId, settings, author, key) => {
      const cipher = await targetCipher(database, projectId);
      return inTransaction(pool, 'begin', async (client) => {
        if (!(await lockCursors(client, projectId))) throw projectNotFound();
        return createOnce<SignedWebhook>(client, {
          projectId,
          actor: author.actor,
          key,
          find: async (id) => {
            const [row] = await run(client, FIND_WEBHOOK, [projectId, id]);
            return row === undefined ? null : signed(WEBHOOK.read(row), cipher);
          },
          create: async () => {
            const value = await insertWebhook(client, cipher, { projectId, settings, author });
            await placeCursors(client, projectId);
            return { id: value.webhook.id, value };
          },
        });
      });
    },

    change: (projectId, id, precondition, decide, author) =>
      onLocked(database, { projectId, id }, async ({ client, cipher, stored, target }) => {
        const before = webhookOf(stored, target);
        checkPrecondition(precondition, before.version);
        const { url, events, enabled } = decide(before);
        if (isSame(before, { url, events, enabled })) return before;
        const isNewStart = url !== before.url || enabled !== before.enabled;
        const after = await updateWebhook(client, stored, [
          isNewStart ? cipher.encrypt(stored, { ...target, url }) : stored.target,
          events,
          enabled,
          author.at.toISOString(),
          isNewStart,
        ]);
        const webhook = webhookOf(after, { ...target, url });
        await addEntry(client, author, 'webhook_changed', webhook);
        await placeCursors(client, projectId);
        return webhook;
      }),

    delete: async (projectId, id, precondition, author) => {
      const isDeleted = await onLocked(database, { projectId, id }, async ({ client, stored, target }) => {
        checkPrecondition(precondition, stored.version);
        await run(client, DELETE_WEBHOOK, [id]);
        await addEntry(client, author, 'webhook_deleted', webhookOf(stored, target));
        await placeCursors(client, projectId);
        return true;
      });
      return isDeleted ?? false;
    },

    rotate: (projectId, id, author) =>
      onLocked(database, { projectId, id }, async ({ client, cipher, stored, ...locked }) => {
        const target = rotated(locked.target, author.at);
        const { events, enabled } = stored;
        const parameters = [cipher.encrypt(stored, target), events, enabled, author.at.toISOString(), false];
        const webhook = webhookOf(await updateWebhook(client, stored, parameters), target);
        await addEntry(client, author, 'webhook_rotated', webhook);
        return { webhook, secret: target.secret };
      }),
  };
}

interface Locked {
  readonly client: pg.ClientBase;
  readonly cipher: TargetCipher;
  readonly stored: StoredWebhook;
  readonly target: StoredTarget;
}

/** Runs the work on a locked webhook; null if there is none. Locks the cursors first, like every writer. */
async function onLocked<T>(
  database: Dependencies,
  { projectId, id }: Pick<Webhook, 'projectId' | 'id'>,
  work: (locked: Locked) => Promise<T>,
): Promise<T | null> {
  const cipher = await targetCipher(database, projectId);
  return inTransaction(database.pool, 'begin', async (client) => {
    if (!(await lockCursors(client, projectId))) return null;
    const [row] = await run(client, LOCK_WEBHOOK, [projectId, id]);
    if (row === undefined) return null;
    const stored = WEBHOOK.read(row);
    return work({ client, cipher, stored, target: cipher.decrypt(stored) });
  });
}

interface NewWebhook {
  readonly projectId: number;
  readonly settings: WebhookSettings;
  readonly author: Author;
}

async function insertWebhook(
  client: pg.ClientBase,
  cipher: TargetCipher,
  { projectId, settings: { url, events, enabled }, author }: NewWebhook,
): Promise<SignedWebhook> {
  const [count = []] = await run(client, COUNT_WEBHOOKS, [projectId]);
  if (numberAt(count, 0) >= WEBHOOKS_MAX) throw tooManyWebhooks();
  const parameters = [projectId, events, enabled, author.at.toISOString()];
  const [row = []] = await run(client, INSERT_WEBHOOK, parameters);
  const id = numberAt(row, 0);
  const target = { url, secret: newSecret(), old: [] };
  const [stored = []] = await run(client, SET_TARGET, [id, cipher.encrypt({ projectId, id }, target)]);
  const webhook = webhookOf(WEBHOOK.read(stored), target);
  await addEntry(client, author, 'webhook_created', webhook);
  return { webhook, secret: target.secret };
}

async function updateWebhook(
  client: pg.ClientBase,
  { id }: StoredWebhook,
  values: Parameters<typeof run>[2],
): Promise<StoredWebhook> {
  const [row = []] = await run(client, UPDATE_WEBHOOK, [id, ...values]);
  return WEBHOOK.read(row);
}

function signed(stored: StoredWebhook, cipher: TargetCipher): SignedWebhook {
  const target = cipher.decrypt(stored);
  return { webhook: webhookOf(stored, target), secret: target.secret };
}

function isSame(before: WebhookSettings, after: WebhookSettings): boolean {
  const { url, events, enabled } = before;
  return url === after.url && enabled === after.enabled && String(events) === String(after.events);
}

/** Names only the host, since the rest of a URL may contain credentials. */
function addEntry(
  client: pg.ClientBase,
  author: Author,
  action: AuditAction,
  { id, projectId, url }: Webhook,
): Promise<void> {
  return insertAudit(client, author, action, { type: 'webhook', id, name: new URL(url).host, projectId });
}
