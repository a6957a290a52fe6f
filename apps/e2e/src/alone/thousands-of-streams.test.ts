/** @module-tag long */

import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { firstCursor } from '../testing/first-cursor.ts';
import { fullOfStreams } from '../testing/full-of-streams.ts';
import { memoryOf, MIB } from '../testing/memory-of.ts';
import { metricOf } from '../testing/metric-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { IMPATIENT, serviceOfFile } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';

const UNREAD = 20;
/** So many that their events do not fit into the buffers of a connection. */
const RECORDS = 100_000;

const running = serviceOfFile({}, { mains: IMPATIENT });

test('a process has 5,000 streams at once, the next one is rejected, and nobody is harmed', async () => {
  await fullOfStreams(running(), { streams: 5_000, mostBytes: 250 * MIB });
});

test('streams of a family that are never read take bounded memory, end, and harm nobody', async () => {
  const service = running();
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  await fillFamily(service, greedy, { records: RECORDS });
  const unharmed = await neighbour(other);
  const before = memoryOf(service.http).now;
  const lastEventId = await firstCursor(greedy);
  const open = () => openStream(greedy, '/plugin_configs/stream', { lastEventId, read: false });
  const streams = await Promise.all(Array.from({ length: UNREAD }, open));
  let most = 0;
  /** A project reads at most a page of a large family in a second. */
  await until(async () => {
    most = Math.max(most, memoryOf(service.http).now - before);
    return (await metricOf(greedy.api, 'event_streams')) === 0;
  }, 60_000);
  expect(most).toBeLessThan(100 * MIB);
  await unharmed.expectUnharmed();
  for (const { close } of streams) close();
});
