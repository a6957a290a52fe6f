import { aFamily, aRecord, aWebhook } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

test('a project whose events cannot be queued delays no other', () =>
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
