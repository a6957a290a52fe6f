/** @module-tag long */

import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { makeClickHouseBed } from './testing/clickhouse-bed.ts';
import { anEntry } from './testing/entries.ts';
import { startNatsServer } from './testing/nats-server.ts';
import { openStream } from './testing/stream.ts';

const ENTRIES = 3_000;
const ACK_WAIT_MS = 2_000;
const WITHIN_MS = 60_000;
const EVERY = { types: [], source: null, instanceId: null, after: null, before: null, search: null };

test('while ClickHouse is out of reach, the messages of a stream wait; afterwards each is stored once, none is dead', async () => {
  await using made = await makeClickHouseBed();
  await using nats = await startNatsServer();
  await using stream = await openStream({ url: nats.url });
  await stream.prepare(ACK_WAIT_MS);
  const { bed, server, logs, serve } = made;
  using worker = await serve({ NATS_URL: nats.url });
  const isReady = async (): Promise<boolean> => (await fetch(`${worker.url}/readyz`)).status === 200;
  await until(isReady);
  await server.kill();
  await stream.publish(Array.from({ length: ENTRIES }, () => JSON.stringify(anEntry(bed.record.id))));
  await until(async () => !(await isReady()), WITHIN_MS);
  expect((await stream.consumer()).ack_floor.stream_seq).toBe(0);
  await server.start();
  await until(async () => (await stream.consumer()).ack_floor.stream_seq === ENTRIES, WITHIN_MS);
  expect((await logs.page(bed.record, EVERY, { limit: 1, offset: 0 })).count).toBe(ENTRIES);
  expect(await bed.ports.letters.count()).toBe(0);
  await until(isReady, WITHIN_MS);
}, 180_000);
