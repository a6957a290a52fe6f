/** @module-tag long */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@plugin-config/server/testing';
import { anAuthor, aRecord } from '@plugin-config/testing';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { freePort } from '../../../tools/free-port.ts';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { faultShares, replaceKilled, seeded } from './testing/faults.ts';
import type { TestBed } from './testing/test-bed.ts';
import { accept, webhookReceiver, type Responder } from './testing/webhook-receiver.ts';
import { test } from './testing/worker.fixture.ts';

const RECORDS = propertyRuns(400);
const KILLS = 8;
const PROXY = 'http://127.0.0.1:1';

/** Rejects some of the deliveries, which are retried. */
function flaky(random: () => number): Responder {
  return (response) => response.writeHead(random() < 0.2 ? 500 : 204).end();
}

/** Leaves the leases and waits of a clock that was an hour ahead. */
async function stepBack(bed: TestBed): Promise<void> {
  const hour = `interval '1 hour'`;
  await bed.rows(`update task set due_at = due_at + ${hour}, lease_until = lease_until + ${hour}`);
}

/** Ends the leases of killed workers, and the pauses before retries. */
async function passTime(bed: TestBed): Promise<void> {
  await bed.rows(`update task set due_at = null, lease_until = null`);
}

test(
  'every change to a record arrives, in order and signed, no matter when the worker is killed or the clock steps',
  { timeout: propertyTimeout(300_000) },
  async ({ bed }) => {
    const random = seeded(20_260_404);
    const responders: readonly Responder[] = [
      accept,
      (response) => setTimeout(() => response.end('slow'), 30),
      flaky(random),
      () => undefined,
    ];
    await using receivers = new AsyncDisposableStack();
    const webhooks = [];
    for (const respond of responders) {
      const receiver = receivers.use(await webhookReceiver(respond));
      const settings = {
        url: receiver.url,
        events: ['record.created'],
        plugin: null,
        enabled: true,
      } as const;
      const created = await bed.ports.webhooks.create(bed.family.projectId, settings, anAuthor());
      webhooks.push({ receiver, ...created });
    }
    const env = {
      WORKER_PORT: String(await freePort()),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1',
      LOG_LEVEL: 'info',
      // Must be ignored.
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: PROXY,
      http_proxy: PROXY,
    };
    let worker = bed.run(env);
    await worker.url();
    const created: number[] = [];
    const creating = (async () => {
      while (created.length < RECORDS) created.push((await aRecord(bed.ports, bed.family)).id);
    })();
    const [fast] = webhooks;
    for (const [kill, share] of faultShares(KILLS, random).entries()) {
      await until(() => (fast?.receiver.received.length ?? 0) >= share * RECORDS);
      await sleep(random() * 50);
      worker = await replaceKilled(worker, () => bed.run(env));
      await (kill % 2 === 0 ? stepBack(bed) : passTime(bed));
    }
    await creating;
    const responding = webhooks.slice(0, -1);
    const isDelivered = async () => {
      await passTime(bed);
      const [left] = await bed.rows<{ count: number }>(
        `select count(*)::int from webhook_dispatch where state <> 'delivered' and webhook_id = any ($1)`,
        [responding.map(({ webhook }) => webhook.id)],
      );
      return left?.count === 0;
    };
    const all = `select webhook_id from webhook_dispatch`;
    await until(async () => (await bed.rows(all)).length === RECORDS * webhooks.length);
    await expect.poll(isDelivered, { interval: 200, timeout: 120_000 }).toBe(true);
    for (const { receiver, secret } of responding) {
      const first = new Map<string | undefined, number>();
      for (const { headers, body } of receiver.received) {
        const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
        const id = headers['webhook-id'] as string;
        const { record_id } = (verified as { readonly data: { readonly record_id: number } }).data;
        expect(first.get(id) ?? record_id).toBe(record_id);
        first.set(id, record_id);
      }
      expect([...first.values()]).toEqual(created);
    }
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  },
);
