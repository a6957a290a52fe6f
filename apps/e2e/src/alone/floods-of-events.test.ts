/** @module-tag long */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pluginConfigClient } from '@plugin-config/client';
import { DISPATCHES_MAX, OPEN_INCIDENTS_MAX } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { makeAlertsDue } from '../testing/make-alerts-due.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const RECORDS = 9_000;
const WEBHOOKS = 20;
const PROJECTS = 13;
/** Enough to exceed the number of dispatches that may wait. */
const CHANGES = 6;
const EVENTS = 8;
const WITHIN_MS = 5_000;

const running = serviceOfFile({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8' });

/** A receiver that accepts requests, or says nothing. */
async function aReceiver(isSilent: boolean) {
  let received = 0;
  const server = createServer((request, response) => {
    received++;
    request.resume();
    if (!isSilent) response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    [Symbol.asyncDispose]: async () => server.close().closeAllConnections(),
  };
}

/** Returns how long each of the tenant's changes takes to arrive, in milliseconds. */
async function timesOfEvents(tenant: Tenant): Promise<readonly number[]> {
  await using receiver = await aReceiver(false);
  await tenant.webhooks.create({ url: receiver.url, events: ['record.created'] });
  const times: number[] = [];
  while (times.length < EVENTS) {
    const start = performance.now();
    await tenant.attach();
    while (receiver.received() <= times.length) await sleep(10);
    times.push(Math.round(performance.now() - start));
  }
  return times;
}

/** Adds enabled records that show an error which has just been reported. */
async function addFailing({ rows }: RunningService, { projectId }: Tenant): Promise<void> {
  await rows(
    `with added as (
      insert into config_record (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version, error)
      select $1, 'plugin_configs', 7, true, n, false, now(), now(), 1, 'timed out' from generate_series(1, $2::integer) n
      returning id
    )
    insert into error_report (record_id, timestamp, taken_in_at, position, error)
    select id, now(), now(), 1, 'timed out' from added`,
    [projectId, RECORDS],
  );
}

test('changes to an alert on 9,000 failing records with 20 webhooks queue few events, and delay no neighbour', async () => {
  const service = running();
  const [busy, other] = [await service.tenant(), await service.tenant()];
  await addFailing(service, busy);
  await using silent = await aReceiver(true);
  for (let n = 0; n < WEBHOOKS; n++)
    await busy.webhooks.create({ url: `${silent.url}${n}`, events: ['incident.opened', 'incident.closed'] });
  const rule = { family: 'plugin_configs', signal: 'error', window_minutes: 60 } as const;
  const { id } = await busy.alerts.create({ name: 'Errors', ...rule });
  const queued = async () => {
    const [row] = await service.rows<{ waiting: number; events: number }>(
      `select sum(w.events)::int as events, max(w.waiting)::int as waiting from (
        select count(*) as events, count(*) filter (where d.finished_at is null) as waiting
        from webhook_dispatch d where d.project_id = $1 group by d.webhook_id
      ) w`,
      [busy.projectId],
    );
    return row ?? { waiting: 0, events: 0 };
  };
  const opened = WEBHOOKS * (OPEN_INCIDENTS_MAX.project + 1);
  await expect.poll(async () => (await queued()).events, { timeout: 60_000 }).toBe(opened);
  const bystander = await neighbour(other);
  for (let change = 1; change <= CHANGES; change++) {
    await busy.alerts.update(id, { window_minutes: 60 + change });
    await makeAlertsDue(service, busy.projectId);
    const isEvaluated = () =>
      service.rows('select id from alert where id = $1 and closing is null and evaluated_at > updated_at', [
        id,
      ]);
    await expect.poll(isEvaluated, { timeout: 60_000 }).toHaveLength(1);
    expect((await queued()).events).toBeLessThanOrEqual((1 + 2 * change) * opened);
  }
  const { waiting } = await queued();
  expect(waiting).toBeLessThanOrEqual(DISPATCHES_MAX.waiting);
  expect((await busy.webhooks.list().page()).results.every(({ paused_at: at }) => at !== null)).toBe(true);
  expect(Math.max(...(await timesOfEvents(await service.tenant())))).toBeLessThan(WITHIN_MS);
  await bystander.expectUnaffected();
});

test('260 silent receivers of one account delay no neighbour', async () => {
  const service = running();
  const owned = await Promise.all(Array.from({ length: PROJECTS }, () => service.tenant()));
  const ids = owned.map(({ projectId }) => projectId);
  const other = await service.tenant();
  const attacker = pluginConfigClient({ url: other.api, key: await service.issueKey(['*'], ids) });
  await using silent = await aReceiver(true);
  for (const id of ids)
    for (let n = 0; n < WEBHOOKS; n++)
      await attacker.project(id).webhooks.create({ url: `${silent.url}${n}`, events: ['record.created'] });
  const bystander = await neighbour(other);
  for (const id of ids)
    for (let n = 0; n < 3; n++) await attacker.project(id).pluginConfigs.create({ plugin: 7 });
  await expect.poll(silent.received, { timeout: 60_000 }).toBeGreaterThan(100);
  expect(Math.max(...(await timesOfEvents(await service.tenant())))).toBeLessThan(WITHIN_MS);
  await bystander.expectUnaffected();
});
