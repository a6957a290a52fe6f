/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@plugin-config/persistence/testing';
import { until } from '@plugin-config/server/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { createTestBed, type TestBed } from './testing/test-bed.ts';
import type { WireEntry } from './testing/entries.ts';
import { expectExactly, manyEntries, replaceKilled, seeded } from './testing/faults.ts';
import { startNatsServer, type NatsServer } from './testing/nats-server.ts';
import { openStream, type TestStream } from './testing/stream.ts';

/** How many entries are published before each fault: several batches. */
const CHUNK = propertyRuns(8_000);
const SEED = 20_260_402;
const ACK_WAIT_MS = 2_000;
const WITHIN_MS = 60_000;
const TIMEOUT_MS = propertyTimeout(120_000);

interface Scene {
  readonly bed: TestBed;
  readonly server: NatsServer;
  readonly stream: TestStream;
}

async function withScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
  onTestFinished(drop);
  await using bed = await createTestBed(url);
  await using server = await startNatsServer();
  await using stream = await openStream({ url: server.url });
  await stream.prepare(ACK_WAIT_MS);
  await run({ bed, server, stream });
}

/** Returns how many messages are acknowledged without a gap; null while NATS is unreachable. */
const acknowledged = async (stream: TestStream): Promise<number | null> =>
  stream.consumer().then(
    ({ ack_floor }) => ack_floor.stream_seq,
    () => null,
  );

/** Publishes the entries in chunks, and causes a fault whenever a chunk is partly stored. */
async function publishWithFaults(
  stream: TestStream,
  entries: readonly WireEntry[],
  fault: () => Promise<void>,
): Promise<void> {
  for (let at = 0; at < entries.length; at += CHUNK) {
    await stream.publishFast(entries.slice(at, at + CHUNK).map((entry) => JSON.stringify(entry)));
    await until(async () => ((await acknowledged(stream)) ?? 0) > at, WITHIN_MS);
    await fault();
  }
  await until(async () => (await acknowledged(stream)) === entries.length, WITHIN_MS);
}

test(
  'stores each message of the stream once, no matter when a worker is killed',
  async () => {
    await withScene(async ({ bed, server, stream }) => {
      const entries = manyEntries(bed.record.id, 3 * CHUNK);
      const begin = () => bed.run({ NATS_URL: server.url });
      using steady = await bed.serve({ NATS_URL: server.url });
      let last = begin();
      await last.url();
      await publishWithFaults(stream, entries, async () => {
        last = await replaceKilled(last, begin);
      });
      await expectExactly(bed, bed.record, entries);
      last.child.kill('SIGTERM');
      expect(await last.exited).toBe(0);
      await steady.stop();
    });
  },
  TIMEOUT_MS,
);

test(
  'stores each message of the stream once, no matter when NATS is killed',
  async () => {
    await withScene(async ({ bed, server, stream }) => {
      const entries = manyEntries(bed.record.id, 2 * CHUNK);
      const random = seeded(SEED);
      using worker = await bed.serve({ NATS_URL: server.url });
      await publishWithFaults(stream, entries, async () => {
        await server.kill();
        await sleep(random() * 500);
        await server.start();
        await until(async () => (await acknowledged(stream)) !== null, WITHIN_MS);
      });
      await expectExactly(bed, bed.record, entries);
      await worker.stop();
    });
  },
  TIMEOUT_MS,
);
