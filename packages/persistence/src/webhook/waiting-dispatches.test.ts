import { DISPATCHES_MAX, SERVICE, type RunningDispatch } from '@plugin-config/domain';
import { aFamily, anAuthor, aRecord, aWebhook } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { inTransaction } from '../postgres/in-transaction.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { queueEvents } from './queue-events.ts';

const withEmptied = databaseOfFile();
const ACCEPTED = { status: 204, error: null, response: null, retryAfterMs: null, hasTimedOut: false };
const DELIVERED = { outcome: ACCEPTED, verdict: 'delivered', disable: null } as const;

test('a webhook with too many waiting dispatches is paused, until half of them have ended', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { webhook } = await aWebhook(ports, family.projectId, { events: ['record.created'] });
    const { projectId, id } = webhook;
    const setWaiting = async (waiting: number) => {
      await database.pool.query(`delete from task where payload = 'waiting'`);
      await database.pool.query(
        `insert into task (kind, project_id, key, payload, due_at)
        select 'dispatch', $1, $2 * 8, 'waiting', 'infinity' from generate_series(1, $3 - (select count(*) from task))`,
        [projectId, id, waiting],
      );
    };
    const state = async () => {
      const { count } = await ports.dispatches.page(projectId, id, { limit: 1, offset: 0 });
      return [count, (await ports.webhooks.find(projectId, id))?.pausedAt ?? null];
    };
    await setWaiting(DISPATCHES_MAX.waiting - 1);
    await aRecord(ports, family);
    expect(await state()).toEqual([1, expect.any(Date)]);
    await aRecord(ports, family);
    await expect(ports.dispatches.test(projectId, id, anAuthor())).rejects.toMatchObject({
      code: 'throttled',
    });
    expect(await state()).toEqual([1, expect.any(Date)]);
    await setWaiting(DISPATCHES_MAX.waiting / 2 + 1);
    await aRecord(ports, family);
    expect(await state()).toEqual([1, expect.any(Date)]);
    const [task] = await ports.tasks.claim('dispatch', { limit: 1, exceptTenants: [] });
    const dispatch = task && (await ports.dispatchRuns.begin(task));
    await ports.dispatchRuns.settle(dispatch as RunningDispatch, DELIVERED);
    expect(await state()).toEqual([1, null]);
    await aRecord(ports, family);
    expect(await state()).toEqual([2, null]);
  }));

test('transactions that queue events for the same webhook do not wait for each other', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const [slow, quick] = [await aFamily(ports), await aFamily(ports)];
    const { webhook } = await aWebhook(ports, SERVICE, { events: ['record.created'] });
    const event = {
      key: 'slow',
      type: 'record.created',
      at: new Date(),
      recordId: null,
      data: { a: 1 },
    } as const;
    await inTransaction(database.pool, 'begin', async (client) => {
      await queueEvents(client, [{ ...event, projectId: slow.projectId }]);
      await aRecord(ports, quick);
    });
    const { items } = await ports.dispatches.page(SERVICE, webhook.id, { limit: 10, offset: 0 });
    expect(items.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
      { data: { project_id: quick.projectId } },
      { data: { project: { id: slow.projectId } } },
    ]);
  }));

test('an event that is queued while its webhook is deleted is dropped', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { webhook } = await aWebhook(ports, SERVICE);
    await inTransaction(database.pool, 'begin', async (client) => {
      const event = {
        key: 'late',
        type: 'record.created',
        at: new Date(),
        recordId: null,
        data: { a: 1 },
      } as const;
      await queueEvents(client, [{ ...event, projectId: family.projectId }]);
      await ports.webhooks.delete(SERVICE, webhook.id, null, anAuthor());
    });
    const [task] = await ports.tasks.claim('dispatch', { limit: 1, exceptTenants: [] });
    expect(task && (await ports.dispatchRuns.begin(task))).toBeNull();
    const { rows } = await database.pool.query('select from webhook_dispatch union all select from task');
    expect(rows).toEqual([]);
  }));

test('a webhook keeps a limited number of ended dispatches', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { webhook } = await aWebhook(ports, family.projectId, { events: ['record.created'] });
    await database.pool.query(
      `insert into webhook_dispatch (project_id, webhook_id, event_key, type, payload, state, created_at, finished_at)
      select $1, $2, n, 'record.created', '{}', 'delivered', now(), now() from generate_series(1, $3) n`,
      [webhook.projectId, webhook.id, DISPATCHES_MAX.ended],
    );
    await aRecord(ports, family);
    const [task] = await ports.tasks.claim('dispatch', { limit: 1, exceptTenants: [] });
    const dispatch = task && (await ports.dispatchRuns.begin(task));
    await ports.dispatchRuns.settle(dispatch as RunningDispatch, DELIVERED);
    const { rows } = await database.pool.query(
      'select count(*)::int, min(number)::int from webhook_dispatch',
    );
    expect(rows).toEqual([{ count: DISPATCHES_MAX.ended, min: 2 }]);
  }));
