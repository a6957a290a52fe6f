import { DISPATCHES_MAX, type RunningDispatch } from '@plugin-config/domain';
import { aFamily, anAuthor, aRecord, aWebhook } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();
const ACCEPTED = { status: 204, error: null, response: null, retryAfterMs: null, hasTimedOut: false };
const DELIVERED = { outcome: ACCEPTED, verdict: 'delivered', disable: null } as const;

test('a webhook with too many waiting dispatches is paused, until half of them have ended', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { webhook } = await aWebhook(ports, family.projectId, { events: ['record.created'] });
    const { projectId, id } = webhook;
    const setWaiting = (waiting: number) => database.pool.query('update webhook set waiting = $1', [waiting]);
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
