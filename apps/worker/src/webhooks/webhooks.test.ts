import type { ServerResponse } from 'node:http';
import { SERVICE, type Webhook as WebhookOf, type WebhookEvent } from '@plugin-config/domain';
import { metricOf } from '@plugin-config/server/testing';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { TestBed } from '../testing/test-bed.ts';
import { test } from '../testing/worker.fixture.ts';
import { accept, webhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';

const ALLOWED = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8', LOG_LEVEL: 'info' };
const RECORDS: readonly WebhookEvent[] = ['record.created', 'record.updated', 'record.deleted'];

async function aWebhookTo({ ports, family }: TestBed, url: string) {
  const settings = { url, events: RECORDS, plugin: null, enabled: true };
  return ports.webhooks.create(family.projectId, settings, anAuthor());
}

const deliveries = ({ ports }: TestBed, { projectId, id }: WebhookOf) =>
  ports.dispatches.page(projectId, id, { limit: 100, offset: 0 });

const ids = ({ received }: WebhookReceiver) => received.map(({ headers }) => headers['webhook-id']);

test('changes to records arrive in order, signed, and the log does not show their destination', async ({
  bed,
}) => {
  await using receiver = await webhookReceiver();
  const { webhook, secret } = await aWebhookTo(bed, `${receiver.url}canary-4711?token=canary-4711`);
  const worker = await bed.serve(ALLOWED);
  const created = [];
  for (let n = 0; n < 5; n++) created.push((await aRecord(bed.ports, bed.family)).id);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(5);
  const payloads = receiver.received.map(({ body, headers }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  );
  expect(payloads.map((payload) => (payload as { data: { record_id: number } }).data.record_id)).toEqual(
    created,
  );
  const isDelivered = async () =>
    (await deliveries(bed, webhook)).items.every(({ state }) => state === 'delivered');
  await expect.poll(isDelivered).toBe(true);
  const { items } = await deliveries(bed, webhook);
  expect(ids(receiver)).toEqual(items.map(({ id }) => id).toReversed());
  await worker.stop();
  expect(worker.log()).toContain('a webhook delivery was attempted');
  expect(worker.log()).not.toContain('canary-4711');
  expect(worker.log()).not.toContain(secret);
  await bed.ports.webhooks.delete(webhook.projectId, webhook.id, null, anAuthor());
});

test('a webhook for all projects gets the events of several at once, and those of each in order', async ({
  bed,
}) => {
  const first: ServerResponse[] = [];
  await using receiver = await webhookReceiver((response, delivery) => {
    if (receiver.received.length > 8) accept(response, delivery);
    else if (first.push(response) === 8) for (const each of first) each.end();
  });
  const settings = { url: receiver.url, events: RECORDS, plugin: null, enabled: true };
  const { webhook } = await bed.ports.webhooks.create(SERVICE, settings, anAuthor());
  const families = [];
  while (families.length < 20) families.push(await aFamily(bed.ports));
  const created = [];
  for (const family of [...families, ...families]) created.push(await aRecord(bed.ports, family));
  const worker = await bed.serve(ALLOWED);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(created.length);
  const received = receiver.received.map(
    ({ body }) => (JSON.parse(body) as { data: { record_id: number } }).data.record_id,
  );
  for (const { projectId } of families) {
    const own = created.filter((record) => record.projectId === projectId).map(({ id }) => id);
    expect(received.filter((id) => own.includes(id))).toEqual(own);
  }
  await worker.stop();
  await bed.ports.webhooks.delete(SERVICE, webhook.id, null, anAuthor());
});

test('an unresponsive receiver does not delay others', async ({ bed }) => {
  await using dead = await webhookReceiver(() => undefined);
  await using alive = await webhookReceiver();
  const created = [await aWebhookTo(bed, dead.url), await aWebhookTo(bed, alive.url)];
  const worker = await bed.serve(ALLOWED);
  for (let n = 0; n < 20; n++) await aRecord(bed.ports, bed.family);
  await expect.poll(() => alive.received.length, { timeout: 60_000 }).toBe(20);
  expect(dead.received.length).toBeLessThanOrEqual(2);
  await worker.stop();
  for (const { webhook } of created)
    await bed.ports.webhooks.delete(webhook.projectId, webhook.id, null, anAuthor());
});

test('a failed attempt is retried with the same id, and a gone receiver is disabled', async ({ bed }) => {
  let failures = 1;
  await using receiver = await webhookReceiver((response) =>
    response.writeHead(failures-- > 0 ? 500 : 204).end('x'),
  );
  await using gone = await webhookReceiver((response) => response.writeHead(410).end());
  const { webhook } = await aWebhookTo(bed, receiver.url);
  const { webhook: goneWebhook } = await aWebhookTo(bed, gone.url);
  const worker = await bed.serve(ALLOWED);
  await aRecord(bed.ports, bed.family);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
  // Instead of waiting for the pause of five seconds.
  const isDue = `update task set due_at = null where kind = 'dispatch' and key / 8 = $1 and due_at is not null`;
  await expect
    .poll(async () => (await deliveries(bed, webhook)).items[0]?.lastStatus, { timeout: 60_000 })
    .toBe(500);
  await bed.rows(isDue, [webhook.id]);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2);
  expect(new Set(ids(receiver)).size).toBe(1);
  const find = () => bed.ports.webhooks.find(goneWebhook.projectId, goneWebhook.id);
  await expect.poll(find, { timeout: 60_000 }).toMatchObject({ enabled: false, disabledReason: 'gone' });
  for (const result of ['delivered', 'retried', 'failed'])
    await expect.poll(() => metricOf(worker.url, `webhook_attempts_total{result="${result}"}`)).toBe(1);
  await expect.poll(() => metricOf(worker.url, 'tasks_due{kind="dispatch"}'), { timeout: 60_000 }).toBe(0);
  await worker.stop();
});
