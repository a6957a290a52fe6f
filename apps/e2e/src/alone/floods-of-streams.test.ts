/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { expectGuarantees } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { fillLog } from '../testing/fill-log.ts';
import { flood } from '../testing/flood.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';
import { take } from '../testing/take.ts';

const ALLOWED = [200, 429, 503];
/** In total, more than a tenant may leave unread. */
const TAIL = { batches: 2, lines: 200, message: 'x'.repeat(50_000) };
const PUSHES = 10;
const LONG = { timeout: 30_000 };
const SEARCHES = 200;
/** A capital sigma is the slowest letter to compare case-insensitively. */
const SLOW_TO_SEARCH = 'Σ'.repeat(50_000);

const running = serviceOfFile();

test('a hundred streams that keep restarting with a large tail do not slow down neighbours', async () => {
  const service = running();
  const greedy = await service.tenant();
  const id = await greedy.attach();
  await fillLog(greedy, id, TAIL);
  let entries = 0;
  await flood(service, { callers: 100, allowed: ALLOWED }, async () => {
    const stream = await openStream(greedy, `/plugin_configs/${id}/logs/stream?tail=1000`);
    await sleep(100);
    entries += stream.events.length;
    stream.close();
    return stream;
  });
  expect(entries).toBeGreaterThan(100);
});

test('thousands of callers that open a stream and leave at once do not slow down neighbours', async () => {
  const service = running();
  const greedy = await service.tenant();
  const id = await greedy.attach();
  const paths = ['/plugin_configs/stream', `/plugin_configs/${id}/logs/stream?tail=10`];
  const statuses = await flood(service, { callers: 50, allowed: ALLOWED }, async (n) => {
    const stream = await openStream(greedy, paths[n % 2] ?? '', { lastEventId: n % 3 === 0 ? '0' : null });
    stream.close();
    return stream;
  });
  expect(statuses.values().reduce((sum, count) => sum + count, 0)).toBeGreaterThan(200);
});

test('a flooded log with an unread stream does not slow down neighbours', async () => {
  const service = running();
  const [flooded, quiet] = [await service.tenant(), await service.tenant()];
  const id = await flooded.attach();
  const own = await quiet.attach();
  const unread = await openStream(flooded, `/plugin_configs/${id}/logs/stream`, { read: false });
  const opened = Promise.withResolvers<void>();
  const heard = take(quiet.pluginConfigs.streamLogs(own, {}, { onOpen: () => opened.resolve() }), PUSHES);
  await opened.promise;
  const bystander = await neighbour(await service.tenant());
  const lines = Array.from({ length: 1000 }, () => ({ plugin_config_id: id, message: 'x'.repeat(2000) }));
  for (let i = 0; i < PUSHES; i++) {
    await flooded.push(lines);
    await quiet.push([{ plugin_config_id: own, message: `${i}` }]);
  }
  expectGuarantees(
    await heard,
    Array.from({ length: PUSHES }, (_, i) => `${i}`),
  );
  await bystander.expectUnaffected();
  unread.close();
});

test('hundreds of streams that search long messages do not slow down neighbours', async () => {
  const service = running();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const id = await greedy.attach();
  const streams = await Promise.all(
    Array.from({ length: SEARCHES }, (_, i) =>
      openStream(greedy, `/plugin_configs/${id}/logs/stream?search=nowhere${i}`),
    ),
  );
  const bystander = await neighbour(other);
  for (let i = 0; i < PUSHES; i++) await greedy.push([{ plugin_config_id: id, message: SLOW_TO_SEARCH }]);
  const hasReadAll = new RegExp(`-${PUSHES}$`);
  await expect.poll(() => streams.every((stream) => hasReadAll.test(stream.lastId() ?? '')), LONG).toBe(true);
  await bystander.expectUnaffected();
  for (const stream of streams) stream.close();
});
