import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@plugin-config/persistence/testing';
import { until } from '@plugin-config/server/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeBed, type Bed } from './testing/bed.ts';
import { expectExactly, killRepeatedly, manyEntries, seeded } from './testing/faults.ts';
import { startNatsServer, type NatsServer } from './testing/nats-server.ts';
import { openStream, type TestStream } from './testing/stream.ts';

const ENTRIES = 150_000;
const SEED = 20_260_402;
const ACK_WAIT_MS = 2_000;
const WITHIN_MS = 60_000;

interface Scene {
  readonly bed: Bed;
  readonly server: NatsServer;
  readonly stream: TestStream;
}

async function setScene(run: (scene: Scene) => Promise<void>): Promise<void> {
  const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
  onTestFinished(drop);
  await using bed = await makeBed(url);
  await using server = await startNatsServer();
  await using stream = await openStream({ url: server.url });
  await stream.prepare(ACK_WAIT_MS);
  await run({ bed, server, stream });
}

const isDone = async (stream: TestStream): Promise<boolean> => {
  const consumer = await stream.consumer().catch(() => null);
  return consumer?.ack_floor.stream_seq === ENTRIES;
};

test('whenever a worker is killed, each message of the stream is stored once', async () => {
  await setScene(async ({ bed, server, stream }) => {
    const entries = manyEntries(bed.record.id, ENTRIES);
    await stream.pour(entries.map((entry) => JSON.stringify(entry)));
    const begin = () => bed.run({ NATS_URL: server.url });
    const random = seeded(SEED);
    const steady = begin();
    const last = await killRepeatedly(
      begin,
      Array.from({ length: 3 }, () => 300 + random() * 500),
      begin(),
    );
    await until(() => isDone(stream), WITHIN_MS);
    await expectExactly(bed, bed.record, entries);
    for (const worker of [steady, last]) worker.child.kill('SIGTERM');
    expect([await steady.exited, await last.exited]).toEqual([0, 0]);
  });
}, 120_000);

test('whenever NATS is killed, each message of the stream is stored once', async () => {
  await setScene(async ({ bed, server, stream }) => {
    const entries = manyEntries(bed.record.id, ENTRIES);
    await stream.pour(entries.map((entry) => JSON.stringify(entry)));
    const random = seeded(SEED);
    const worker = bed.run({ NATS_URL: server.url });
    await worker.url();
    for (let round = 0; round < 2; round++) {
      await sleep(500 + random() * 500);
      await server.kill();
      await sleep(random() * 500);
      await server.start();
    }
    await until(() => isDone(stream), WITHIN_MS);
    await expectExactly(bed, bed.record, entries);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  });
}, 120_000);
