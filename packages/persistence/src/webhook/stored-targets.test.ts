import { anAuthor, aFamily, aWebhook } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { dumpTables } from '../testing/dump-tables.ts';

const withEmptied = databaseOfFile();

test('no table shows the URL of a webhook or its secrets, before and after a rotation', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const { projectId } = await aFamily(ports);
    const url = 'https://hooks.example/canary-4711?token=canary-4712';
    const { webhook, secret } = await aWebhook(ports, projectId, { url });
    const rotated = await ports.webhooks.rotate(projectId, webhook.id, anAuthor());
    await ports.dispatches.test(projectId, webhook.id, anAuthor());
    const rows = Object.values(await dumpTables(database)).flat();
    expect(rows.join()).toContain('webhook.test');
    for (const text of ['canary', secret.slice(6), rotated?.secret.slice(6) ?? ''])
      expect(rows.filter((row) => row.includes(text))).toEqual([]);
  }));

test('the target of a webhook cannot be moved to another one', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const { projectId } = await aFamily(ports);
    const [own, other] = [await aWebhook(ports, projectId), await aWebhook(ports, projectId)];
    await database.pool.query(
      'update webhook set target = (select target from webhook where id = $1) where id = $2',
      [other.webhook.id, own.webhook.id],
    );
    await expect(ports.webhooks.find(projectId, own.webhook.id)).rejects.toThrow();
    for (const { webhook } of [own, other])
      await ports.dispatches.test(projectId, webhook.id, anAuthor()).catch(() => undefined);
    const tasks = await ports.tasks.claim('dispatch', { limit: 2, exceptTenants: [] });
    const begun = await Promise.all(tasks.map((task) => ports.dispatchRuns.begin(task)));
    const claimed = begun.filter((dispatch) => dispatch !== null);
    const failed = claimed.filter(({ target }) => target instanceof Error);
    expect(claimed).toHaveLength(2);
    expect(failed.map(({ webhookId }) => webhookId)).toEqual([own.webhook.id]);
  }));
