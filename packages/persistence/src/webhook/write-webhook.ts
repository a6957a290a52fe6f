import {
  tooManyWebhooks,
  urlTaken,
  WEBHOOKS_MAX,
  type AuditAction,
  type Author,
  type SignedWebhook,
  type Webhook,
  type WebhookSettings,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { numberAt } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { holdDispatches, releaseDispatches, removeTasks } from './hold-dispatches.ts';
import { WEBHOOK, webhookOf, type StoredWebhook } from './webhook-columns.ts';
import { newSecret, type StoredTarget, type TargetCipher } from './webhook-target.ts';

// Each write adds an audit entry.

/** The encryption of the target needs the id. */
const NEXT_ID = prepared('next_webhook_id')`select nextval('webhook_id_seq')`;

const WEBHOOKS = prepared('webhooks_of_project')`
  select ${WEBHOOK.sql} from webhook w where w.project_id = $1`;

const INSERT_WEBHOOK = prepared('insert_webhook')`
  insert into webhook as w (project_id, id, target, events, plugin, enabled, version, created_at, updated_at, account_id)
  values ($1, $2, $3, $4, $5, $6, 1, $7, $7, (select coalesce(k.account_id, k.id) from api_key k where k.id = $8)) returning ${WEBHOOK.sql}`;

const UPDATE_WEBHOOK = prepared('update_webhook')`
  update webhook w set target = $3, events = $4, plugin = $5, enabled = $6, version = w.version + 1,
    updated_at = greatest(w.updated_at, $7),
    disabled_reason = case when $6 then null else w.disabled_reason end,
    failing_since = case when $8::boolean then null else w.failing_since end
  where w.project_id = $1 and w.id = $2
  returning ${WEBHOOK.sql}`;

const DELETE_WEBHOOK = prepared('delete_webhook')`
  with gone as (delete from webhook w where w.project_id = $1 and w.id = $2)
  delete from webhook_dispatch d where d.project_id = $1 and d.webhook_id = $2`;

export interface LockedWebhook {
  readonly client: pg.ClientBase;
  readonly cipher: TargetCipher;
  readonly stored: StoredWebhook;
  readonly target: StoredTarget;
}

interface NewWebhook {
  readonly projectId: number;
  readonly settings: WebhookSettings;
  readonly author: Author;
}

/** @throws DomainError `already_exists`, attr `url`; `invalid_input` if the project has `WEBHOOKS_MAX` webhooks */
export async function insertWebhook(
  client: pg.ClientBase,
  cipher: TargetCipher,
  { projectId, settings: { url, events, plugin, enabled }, author }: NewWebhook,
): Promise<SignedWebhook> {
  const urls = await urlsOf(client, cipher, projectId);
  if (urls.includes(url)) throw urlTaken();
  if (urls.length >= WEBHOOKS_MAX) throw tooManyWebhooks();
  const [next = []] = await run(client, NEXT_ID, []);
  const id = numberAt(next, 0);
  const target = { url, secret: newSecret(), old: [] };
  const encrypted = cipher.encrypt({ projectId, id }, target);
  const { at, actor } = author;
  const parameters = [projectId, id, encrypted, events, plugin, enabled, at.toISOString(), actor.keyId];
  const [row = []] = await run(client, INSERT_WEBHOOK, parameters);
  const webhook = webhookOf(WEBHOOK.read(row), target);
  await addAudit(client, webhook, author, 'webhook_created');
  return { webhook, secret: target.secret };
}

/** Returns the URLs of all webhooks of a project, which must be locked. */
async function urlsOf(
  client: pg.ClientBase,
  cipher: TargetCipher,
  projectId: number,
): Promise<readonly string[]> {
  const rows = await run(client, WEBHOOKS, [projectId]);
  return rows.map((row) => cipher.decrypt(WEBHOOK.read(row)).url);
}

interface Update extends Omit<WebhookSettings, 'url'> {
  readonly target: StoredTarget;
  readonly author: Author;
  readonly action: AuditAction;
}

/**
 * A webhook that gets another URL, or is enabled or disabled, no longer counts as failing.
 * @throws DomainError `already_exists`, attr `url`
 */
export async function updateWebhook(
  { client, cipher, stored, target: before }: LockedWebhook,
  { target, events, plugin, enabled, author, action }: Update,
): Promise<Webhook> {
  const isMoved = target.url !== before.url;
  if (isMoved && (await urlsOf(client, cipher, stored.projectId)).includes(target.url)) throw urlTaken();
  const isNewStart = isMoved || enabled !== stored.enabled;
  const at = author.at.toISOString();
  const values = [cipher.encrypt(stored, target), events, plugin, enabled, at, isNewStart];
  const [row = []] = await run(client, UPDATE_WEBHOOK, [stored.projectId, stored.id, ...values]);
  const webhook = webhookOf(WEBHOOK.read(row), target);
  if (enabled !== stored.enabled) {
    await (enabled ? releaseDispatches : holdDispatches)(client, webhook.projectId, webhook.id);
  }
  await addAudit(client, webhook, author, action);
  return webhook;
}

export async function deleteWebhook(
  { client, stored, target }: LockedWebhook,
  author: Author,
): Promise<void> {
  await removeTasks(client, stored.projectId, stored.id);
  await run(client, DELETE_WEBHOOK, [stored.projectId, stored.id]);
  await addAudit(client, webhookOf(stored, target), author, 'webhook_deleted');
}

/** The audit entry names only the host, since the rest of a URL may contain credentials. */
function addAudit(
  client: pg.ClientBase,
  { id, projectId, url }: Webhook,
  author: Author,
  action: AuditAction,
): Promise<void> {
  return insertAudit(client, author, action, { type: 'webhook', id, name: new URL(url).host, projectId });
}
