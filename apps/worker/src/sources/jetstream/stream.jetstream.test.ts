import { aRecord } from '@plugin-config/testing';
import { metricOf, until } from '@plugin-config/server/testing';
import { otlpReceiver } from '@plugin-config/tracing/testing';
import { expect } from 'vitest';
import type { TestBed } from '../../testing/test-bed.ts';
import { anEntry } from '../../testing/entries.ts';
import { readiness } from '../../testing/expect-problem.ts';
import { startNatsServer } from '../../testing/nats-server.ts';
import { openStream } from '../../testing/stream.ts';
import { test } from '../../testing/worker.fixture.ts';

const MANY = 20_000;

interface Stored {
  readonly id: string;
  readonly time: number;
  readonly message: string;
}

const STORED = `select id, message, extract(epoch from timestamp)::float8 * 1000 as time
  from log_entry where record_id = $1 order by timestamp, id`;

const stored = (bed: TestBed, recordId: number): Promise<readonly Stored[]> =>
  bed.rows<Stored>(STORED, [recordId]);

test('creates a missing stream and consumer, and stores messages before it acknowledges them', async ({
  bed,
}) => {
  await using server = await startNatsServer();
  const { id } = await aRecord(bed.ports, bed.family);
  using worker = await bed.serve({ NATS_URL: server.url });
  const { url } = worker;
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  await using stream = await openStream({ url: server.url });
  const before = Date.now();
  await stream.publish([
    JSON.stringify(anEntry(id, { message: 'whole' })),
    JSON.stringify({ plugin_config_id: id, message: 'bare' }),
  ]);
  await expect.poll(() => stored(bed, id)).toHaveLength(2);
  const bare = (await stored(bed, id)).find(({ message }) => message === 'bare');
  expect(bare?.time).toBeGreaterThanOrEqual(before);
  await expect.poll(async () => (await stream.consumer()).num_ack_pending).toBe(0);
  await expect.poll(() => metricOf(url, 'jetstream_pending_messages')).toBe(0);
  await worker.stop();
});

test('a batch of a stream has a separate trace, linked to the spans of the publishers', async ({ bed }) => {
  await using server = await startNatsServer();
  await using stream = await openStream({ url: server.url });
  await using receiver = await otlpReceiver();
  await stream.prepare(30_000);
  const { id } = await aRecord(bed.ports, bed.family);
  const lines = Array.from({ length: 5 }, () => JSON.stringify(anEntry(id)));
  const spanOf = (digit: string): string => digit.repeat(16);
  const headers = [
    { traceparent: `00-${'a'.repeat(32)}-${spanOf('1')}-01` },
    { traceparent: `00-${'b'.repeat(32)}-${spanOf('2')}-01` },
    { traceparent: `00-${'b'.repeat(32)}-${spanOf('3')}-00` },
    { traceparent: 'nonsense', other: 'x' },
    {},
  ];
  for (const [i, line] of lines.entries()) await stream.publish([line], headers[i]);
  using worker = await bed.serve({ NATS_URL: server.url, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  await expect.poll(() => stored(bed, id)).toHaveLength(lines.length);
  const batches = await receiver.named('ingest jetstream');
  expect(batches.flatMap(({ links }) => links)).toEqual([spanOf('1'), spanOf('2')]);
  expect(batches.every(({ parentSpanId }) => parentSpanId === undefined)).toBe(true);
  await worker.stop();
});

test('redelivery stores no message twice, not even messages without an id', async ({ bed }) => {
  await using server = await startNatsServer();
  await using stream = await openStream({ url: server.url });
  await stream.prepare(30_000);
  const { id } = await aRecord(bed.ports, bed.family);
  const messages = Array.from({ length: 100 }, (_, i) => `line ${i}`);
  await stream.publish(messages.map((message) => JSON.stringify({ plugin_config_id: id, message })));
  for (const _round of [1, 2]) {
    using worker = await bed.serve({ NATS_URL: server.url });
    await expect.poll(async () => (await stream.consumer()).ack_floor.stream_seq).toBe(messages.length);
    await worker.stop();
    await stream.removeConsumer();
    await stream.prepare(30_000);
  }
  expect((await stored(bed, id)).map(({ message }) => message)).toEqual(messages);
});

test('messages that cannot be stored become dead letters and are acknowledged', async ({ bed }) => {
  await using server = await startNatsServer();
  await using stream = await openStream({ url: server.url });
  await stream.prepare(30_000);
  const { id } = await aRecord(bed.ports, bed.family);
  using _worker = await bed.serve({ NATS_URL: server.url });
  const entry = JSON.stringify(anEntry(id, { message: 'neighbour' }));
  await stream.publish([
    '',
    'not JSON',
    entry,
    JSON.stringify(anEntry(999_999)),
    '{"plugin_config_id":1e400}',
  ]);
  await expect.poll(() => stored(bed, id)).toHaveLength(1);
  await expect.poll(async () => (await stream.consumer()).ack_floor.stream_seq).toBe(5);
  const letters = await bed.ports.deadLetters.list({ after: 0, limit: 10 });
  expect(letters.map(({ channel, reason }) => [channel, reason])).toEqual([
    ['jetstream', 'not_json'],
    ['jetstream', 'not_json'],
    ['jetstream', 'unknown_plugin_config'],
    ['jetstream', 'invalid_plugin_config_id'],
  ]);
});

test('without NATS, the worker is not ready and reports why; it recovers once NATS is back', async ({
  bed,
}) => {
  await using server = await startNatsServer();
  const { id } = await aRecord(bed.ports, bed.family);
  await server.kill();
  using worker = await bed.serve({ NATS_URL: server.url });
  const { url } = worker;
  await until(async () => (await readiness(url)) === '503 NATS is unreachable.');
  await server.start();
  await until(async () => (await readiness(url)).startsWith('200'), 20_000);
  await server.kill();
  await until(async () => (await readiness(url)) === '503 NATS is unreachable.');
  await server.start();
  await using stream = await openStream({ url: server.url });
  await stream.publish([JSON.stringify(anEntry(id))]);
  await expect.poll(() => stored(bed, id)).toHaveLength(1);
  await worker.stop();
});

/** A container engine kills a process after this time. A pull that gets no response from NATS takes five seconds. */
const CONTAINER_GRACE_MS = 10_000;

test('stops in time even if NATS is down', { tags: ['long'] }, async ({ bed }) => {
  await using server = await startNatsServer();
  using worker = await bed.serve({ NATS_URL: server.url });
  const { url } = worker;
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  await server.kill();
  const started = performance.now();
  await worker.stop();
  expect(performance.now() - started).toBeLessThan(CONTAINER_GRACE_MS);
});

test(
  'two workers that share a stream store every entry once',
  { tags: ['long'], timeout: 90_000 },
  async ({ bed }) => {
    await using server = await startNatsServer();
    await using stream = await openStream({ url: server.url });
    await stream.prepare(10_000);
    const { id } = await aRecord(bed.ports, bed.family);
    using one = await bed.serve({ NATS_URL: server.url });
    using other = await bed.serve({ NATS_URL: server.url });
    const entries = Array.from({ length: MANY }, () => anEntry(id));
    await stream.publish(entries.map((entry) => JSON.stringify(entry)));
    await expect.poll(async () => (await stream.consumer()).ack_floor.stream_seq).toBe(MANY);
    const counts = await Promise.all(
      [one, other].map(({ url }) => metricOf(url, 'log_entries_total{outcome="stored",reason=""}')),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(MANY);
    expect((await stored(bed, id)).map((row) => row.id).toSorted()).toEqual(
      entries.map((entry) => entry.id).toSorted(),
    );
  },
);

test(
  'the next worker immediately gets the unstored messages of a stopping worker',
  { tags: ['long'] },
  async ({ bed }) => {
    await using server = await startNatsServer();
    await using stream = await openStream({ url: server.url });
    await stream.prepare(60_000);
    const { id } = await aRecord(bed.ports, bed.family);
    const entries = Array.from({ length: MANY }, () => anEntry(id));
    await stream.publish(entries.map((entry) => JSON.stringify(entry)));
    using first = await bed.serve({ NATS_URL: server.url });
    await until(async () => (await stored(bed, id)).length > 0);
    await first.stop();
    using _second = await bed.serve({ NATS_URL: server.url });
    await expect.poll(async () => (await stored(bed, id)).length).toBe(MANY);
  },
);
