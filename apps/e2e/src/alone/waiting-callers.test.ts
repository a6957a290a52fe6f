/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { metricOf, until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { fillLog } from '../testing/fill-log.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { rawSender } from '../testing/raw-sender.ts';
import { SHORT_TIMEOUTS, serviceOfFile, type RunningService } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';
import type { Tenant } from '../testing/tenant.ts';

const HALF_OPEN = 1000;
/** The deadline for headers with `SHORT_TIMEOUTS`. */
const HEADERS_MS = 5_000;
/** Each has 25 MB to send, so without a bound they would take a gigabyte. */
const UNREAD = 40;
/** Many times larger than the buffers of a connection. */
const LOG = { batches: 5, lines: 100, message: 'x'.repeat(50_000) };

const running = serviceOfFile({}, { mains: SHORT_TIMEOUTS });

test('both apps close connections with incomplete headers, which do not slow down neighbours until then', async () => {
  const other = await running().tenant();
  const bystander = await neighbour(other);
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
  await bystander.expectUnaffected();
  await until(
    async () => (await open()).every((connections) => connections < HALF_OPEN / 4),
    HEADERS_MS + 5_000,
  );
  for (const socket of sockets) socket.destroy();
});

test('a long lock on a family does not delay other families, its writers time out, and its jobs leave connections free', async () => {
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
  await other.expectUnaffected();
  expect((await report).status).toBe(200);
  expect((await report).durationMs).toBeLessThan(1_000);
  for (const { status, headers, durationMs } of writes) {
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(durationMs).toBeGreaterThan(3_500);
    expect(durationMs).toBeLessThan(5_500);
  }
  for (const { status, durationMs } of await Promise.all(jobs)) {
    expect([200, 503]).toContain(status);
    expect(durationMs).toBeLessThan(6_500);
  }
  await locked;
  expect((await tenant.call('PATCH', `/plugin_configs/${id}`, { name: 'free' })).status).toBe(200);
});

test('unread streams take bounded memory, are ended, and do not slow down neighbours; slow readers are kept', async () => {
  const { http, tenant } = running();
  const [greedy, other] = [await tenant(), await tenant()];
  const { api } = greedy;
  const id = await greedy.attach();
  await fillLog(greedy, id, LOG);
  const bystander = await neighbour(other);
  const [before, sentBefore] = [memoryOf(http).now, await metricOf(api, 'event_stream_events_total')];
  const open = () => openStream(greedy, `/plugin_configs/${id}/logs/stream?tail=1000`, { read: false });
  const streams = await Promise.all(Array.from({ length: UNREAD }, open));
  const slow = await open();
  const reading = setInterval(() => void slow.response.read(), 40);
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
  await bystander.expectUnaffected();
  for (const { close } of [...streams, slow]) close();
});

/** Locks the plugin configs of a tenant like a long transaction. Resolves when they are unlocked. */
async function lockFamily({ rows }: RunningService, { projectId }: Tenant, seconds: number): Promise<void> {
  await rows(
    `select pg_sleep($2) from (
      select from config_family where project_id = $1 and family = 'plugin_configs' for update
    ) family`,
    [projectId, seconds],
  );
}
