import type { Webhook } from '@plugin-config/domain';
import { anAuthor, aFamily, aWebhook } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

test('a delivery that is settled while its overloaded webhook is disabled keeps its outcome', () =>
  withEmptied(async (database) => {
    const { pool } = database;
    const ports = postgresPorts(database);
    const { projectId } = await aFamily(ports);
    const { webhook } = await aWebhook(ports, projectId);
    for (let n = 0; n < 3; n++) await ports.webhookDeliveries.test(projectId, webhook.id, anAuthor());
    const settling = await pool.connect();
    try {
      await settling.query('begin; set local idle_in_transaction_session_timeout = 0');
      await settling.query(
        `update webhook_delivery set state = 'delivered', due_at = null, finished_at = now()
        where number = (select min(number) from webhook_delivery)`,
      );
      const disabled = ports.webhookQueue.disableOverloaded(2);
      const isWaiting = async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount;
      };
      await expect.poll(isWaiting).toBe(1);
      await settling.query('commit');
      expect(await disabled).toEqual([webhook.id]);
    } finally {
      settling.release();
    }
    const { rows } = await pool.query<{ readonly state: string }>(
      'select state from webhook_delivery order by number',
    );
    expect(rows.map(({ state }) => state)).toEqual(['delivered', 'failed', 'failed']);
  }));

test('the deliveries of an overloaded webhook fail even if the first attempt at that is interrupted', () =>
  withEmptied(async (database) => {
    const { pool } = database;
    const ports = postgresPorts(database);
    const { projectId } = await aFamily(ports);
    const { webhook } = await aWebhook(ports, projectId);
    for (let n = 0; n < 3; n++) await ports.webhookDeliveries.test(projectId, webhook.id, anAuthor());
    await pool.query(`alter table webhook_delivery add constraint broken check (state <> 'failed')`);
    await expect(ports.webhookQueue.disableOverloaded(2)).rejects.toThrow();
    await pool.query('alter table webhook_delivery drop constraint broken');
    expect(await ports.webhooks.find(projectId, webhook.id)).toMatchObject({ enabled: false });
    await ports.webhookQueue.disableOverloaded(2);
    const enable = (now: Webhook) => ({ ...now, enabled: true });
    await ports.webhooks.change(projectId, webhook.id, null, enable, anAuthor());
    expect(await ports.webhookQueue.disableOverloaded(2)).toEqual([]);
  }));
