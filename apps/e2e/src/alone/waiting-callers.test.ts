/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { lockFamily } from '../testing/lock-family.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { metricOf } from '../testing/metric-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { rawSender } from '../testing/raw-sender.ts';
import { IMPATIENT, serviceOfFile } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';

const HALF_OPEN = 1000;
/** The time for the headers, with the deadline of `IMPATIENT`. */
const HEADERS_MS = 5_000;
/** Each of them has 25 MB to send: unbounded, they would take a gigabyte. */
const UNREAD = 40;
/** Many times as large as the buffers of a connection. */
const LOG = { batches: 5, lines: 100, message: 'x'.repeat(50_000) };

const running = serviceOfFile({}, { mains: IMPATIENT });

test('connections with an incomplete header are closed in both apps, and harm nobody until then', async () => {
  const other = await running().tenant();
  const beside = await neighbour(other);
  const urls = [other.api, other.ingestion];
  const sockets = await Promise.all(
    urls.flatMap((url) =>
      Array.from({ length: HALF_OPEN }, async () => {
        const socket = await rawSender(url);
        socket.write('GET /livez HTTP/1.1\r\nHost:');
        return socket;
      }),
    ),
  );
  const open = () => Promise.all(urls.map((url) => metricOf(url, 'http_connections')));
  await until(async () => (await open()).every((connections) => connections > HALF_OPEN), HEADERS_MS);
  await beside.expectUnharmed();
  await until(
    async () => (await open()).every((connections) => connections < HALF_OPEN / 4),
    HEADERS_MS + 5_000,
  );
  for (const socket of sockets) socket.destroy();
});

test('a family that is locked for long delays no other family, its writers are rejected in time, and its jobs leave connections to others', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const locked = lockFamily(service, tenant, 6);
  const other = await neighbour(await service.tenant());
  await sleep(300);
  const report = tenant.push([{ kind: 'error', plugin_config_id: id, error: 'Broken' }]);
  const jobs = Array.from({ length: 40 }, () => tenant.call('POST', `/plugin_configs/${id}/job`, {}));
  const writes = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0
        ? tenant.call('PATCH', `/plugin_configs/${id}`, { name: `name ${i}` })
        : tenant.call('POST', '/plugin_configs', { plugin: i }),
    ),
  );
  await other.expectUnharmed();
  expect((await report).status).toBe(200);
  expect((await report).took).toBeLessThan(1_000);
  for (const { status, headers, took } of writes) {
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(took).toBeGreaterThan(3_500);
    expect(took).toBeLessThan(5_500);
  }
  for (const { status, took } of await Promise.all(jobs)) {
    expect([200, 503]).toContain(status);
    expect(took).toBeLessThan(6_500);
  }
  await locked;
  expect((await tenant.call('PATCH', `/plugin_configs/${id}`, { name: 'free' })).status).toBe(200);
});

test('streams that are never read take bounded memory, end, and harm nobody; a slow reader is kept', async () => {
  const { http, tenant } = running();
  const [greedy, other] = [await tenant(), await tenant()];
  const { api } = greedy;
  const id = await greedy.attach();
  for (let pushed = 0; pushed < LOG.batches; pushed++) {
    const lines = Array.from({ length: LOG.lines }, () => ({ plugin_config_id: id, message: LOG.message }));
    expect(await greedy.push(lines)).toMatchObject({ status: 200 });
  }
  const unharmed = await neighbour(other);
  const [before, sentBefore] = [memoryOf(http).now, await metricOf(api, 'event_stream_events_total')];
  const open = () => openStream(greedy, `/plugin_configs/${id}/logs/stream?tail=1000`, { read: false });
  const streams = await Promise.all(Array.from({ length: UNREAD }, open));
  const slow = await open();
  const reading = setInterval(() => void slow.answer.read(), 40);
  let most = 0;
  await until(async () => {
    most = Math.max(most, memoryOf(http).now - before);
    return (await metricOf(api, 'event_streams')) === 1;
  });
  expect(most).toBeLessThan(250 * MIB);
  expect(slow.isEnded()).toBe(false);
  const sent = (await metricOf(api, 'event_stream_events_total')) - sentBefore;
  expect(sent).toBeLessThan((UNREAD * LOG.batches * LOG.lines) / 2);
  clearInterval(reading);
  await until(async () => (await metricOf(api, 'event_streams')) === 0);
  await unharmed.expectUnharmed();
  for (const { close } of [...streams, slow]) close();
});
