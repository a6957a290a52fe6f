import type { Webhook } from '@plugin-config/domain';
import { aFamily, anAuthor, aRecord, aWebhook } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();
const BACKLOG = 500;

test('a project whose events cannot be queued does not delay others', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const families = [await aFamily(ports), await aFamily(ports)] as const;
    for (const family of families) {
      await aWebhook(ports, family.projectId, { events: ['record.created'] });
      await aRecord(ports, family);
    }
    const [failing, other] = families;
    await database.pool.query(
      `alter table webhook_delivery add constraint broken check (project_id <> ${failing.projectId})`,
    );
    await expect(ports.webhookEvents.queueRecordEvents()).rejects.toThrow();
    const { rows } = await database.pool.query('select project_id from webhook_delivery');
    expect(rows).toEqual([{ project_id: String(other.projectId) }]);
    await database.pool.query('alter table webhook_delivery drop constraint broken');
    expect(await ports.webhookEvents.queueRecordEvents()).toEqual({ events: 1, isComplete: true });
  }));

test('changes wait in the history while all webhooks of their project are behind', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const { family, webhooks } = await twoBehind(ports, database);
    await aRecord(ports, family);
    expect(await ports.webhookEvents.queueRecordEvents()).toEqual({ events: 0, isComplete: true });
    await database.pool.query(
      `update webhook_delivery set due_at = now() + interval '1 hour' where webhook_id = $1 and event_key = '1'`,
      [webhooks[0].id],
    );
    expect(await ports.webhookEvents.queueRecordEvents()).toEqual({ events: 1, isComplete: true });
  }));

test('changes do not wait for a failing webhook, which gets them even if it is disabled before it recovers', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const { family, webhooks } = await twoBehind(ports, database);
    const [{ id }] = webhooks;
    await database.pool.query('update webhook set failing_since = now() where id = $1', [id]);
    await aRecord(ports, family);
    await ports.webhookEvents.queueRecordEvents();
    for (const webhook of webhooks) {
      const disable = (now: Webhook) => ({ ...now, enabled: false });
      await ports.webhooks.change(family.projectId, webhook.id, null, disable, anAuthor());
      const { count } = await ports.webhookDeliveries.page(family.projectId, webhook.id, {
        limit: 1,
        offset: 0,
      });
      expect(count).toBe(BACKLOG + 1);
    }
  }));

/** Creates a family whose two webhooks have so many due deliveries that changes wait. */
async function twoBehind(ports: ReturnType<typeof postgresPorts>, { pool }: StoreDatabase) {
  const family = await aFamily(ports);
  const { webhook: first } = await aWebhook(ports, family.projectId, { events: ['record.created'] });
  const { webhook: second } = await aWebhook(ports, family.projectId, { events: ['record.created'] });
  for (const { id } of [first, second]) {
    await pool.query(
      `insert into webhook_delivery (project_id, webhook_id, event_key, type, payload, created_at, due_at)
      select $1, $2, n, 'record.created', '{}', now(), now() from generate_series(1, ${BACKLOG}) n`,
      [family.projectId, id],
    );
  }
  return { family, webhooks: [first, second] as const };
}
