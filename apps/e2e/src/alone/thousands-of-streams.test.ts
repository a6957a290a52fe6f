/** @module-tag long */

import { metricOf, until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { firstCursor } from '../testing/first-cursor.ts';
import { fillWithStreams } from '../testing/fill-with-streams.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { SHORT_TIMEOUTS, serviceOfFile } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';

const UNREAD = 20;
/** Enough that their events exceed the buffers of a connection. */
const RECORDS = 100_000;

const running = serviceOfFile({}, { mains: SHORT_TIMEOUTS });

test('a process serves 5,000 streams, rejects the next one, and does not slow down neighbours', async () => {
  await fillWithStreams(running(), { streams: 5_000, maxBytes: 250 * MIB });
});

test('unread family streams take bounded memory, are ended, and do not slow down neighbours', async () => {
  const service = running();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  await fillFamily(service, greedy, { records: RECORDS });
  const bystander = await neighbour(other);
  const before = memoryOf(service.http).now;
  const lastEventId = await firstCursor(greedy);
  const open = () => openStream(greedy, '/plugin_configs/stream', { lastEventId, read: false });
  const streams = await Promise.all(Array.from({ length: UNREAD }, open));
  let most = 0;
  /** A project reads at most one page of a large family per second. */
  await until(async () => {
    most = Math.max(most, memoryOf(service.http).now - before);
    return (await metricOf(greedy.api, 'event_streams')) === 0;
  }, 60_000);
  expect(most).toBeLessThan(100 * MIB);
  await bystander.expectUnaffected();
  for (const { close } of streams) close();
});
