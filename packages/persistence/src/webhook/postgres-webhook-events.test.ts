import { aFamily, aRecord, aWebhook } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

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
    const family = await aFamily(ports);
    const webhooks = [
      await aWebhook(ports, family.projectId, { events: ['record.created'] }),
      await aWebhook(ports, family.projectId, { events: ['record.created'] }),
    ];
    for (const { webhook } of webhooks) {
      await database.pool.query(
        `insert into webhook_delivery (project_id, webhook_id, event_key, type, payload, created_at, due_at)
        select $1, $2, n, 'record.created', '{}', now(), now() from generate_series(1, 500) n`,
        [family.projectId, webhook.id],
      );
    }
    await aRecord(ports, family);
    expect(await ports.webhookEvents.queueRecordEvents()).toEqual({ events: 0, isComplete: true });
    await database.pool.query(
      `update webhook_delivery set due_at = now() + interval '1 hour' where webhook_id = $1 and event_key = '1'`,
      [webhooks[0]?.webhook.id],
    );
    expect(await ports.webhookEvents.queueRecordEvents()).toEqual({ events: 1, isComplete: true });
  }));
