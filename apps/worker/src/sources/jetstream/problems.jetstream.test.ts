import { aRecord } from '@plugin-config/testing';
import { until } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { sampled } from '../../../../../tools/property-runs.ts';
import { anEntry } from '../../testing/entries.ts';
import { expectProblem, readiness } from '../../testing/expect-problem.ts';
import { startNatsServer } from '../../testing/nats-server.ts';
import { openStream, type TestStream } from '../../testing/stream.ts';
import { test } from '../../testing/worker.fixture.ts';

/** The first tier tries one problem of each table. */
const ONE = 1;
const WITHIN_MS = 20_000;
const SECOND = 1_000_000_000;

/** One user without restrictions, and one for the worker that may not publish to the denied subject. */
const users = (denied = 'nothing'): string => `authorization { users: [
  { user: admin, password: admin }
  { user: worker, password: worker, permissions: { publish: { deny: "${denied}" } } }
] }`;

const isAcknowledged = async (stream: TestStream): Promise<boolean> =>
  (await stream.consumer().catch(() => null))?.ack_floor.stream_seq === 1;

const WRONG = [
  ['max_deliver', { max_deliver: 3 }, { max_deliver: -1 }],
  ['max_expires', { max_expires: SECOND / 10 }, { max_expires: SECOND }],
] as const;

test.concurrent.for(sampled(WRONG, ONE))(
  'rejects a consumer with a wrong %s until it is fixed',
  async ([name, wrong, right], { bed }) => {
    await using server = await startNatsServer();
    await using stream = await openStream({ url: server.url });
    await stream.prepare(30_000, wrong);
    const { id } = await aRecord(bed.ports, bed.family);
    await stream.publish([JSON.stringify(anEntry(id))]);
    using worker = await bed.serve({ NATS_URL: server.url });
    await expectProblem(worker, name, async () => {
      expect(await stream.consumer()).toMatchObject({ num_pending: 1, num_ack_pending: 0 });
      await stream.change(right);
    });
    await until(() => isAcknowledged(stream), WITHIN_MS);
    expect(await bed.rows('select from log_entry where record_id = $1', [id])).toHaveLength(1);
  },
);

test.concurrent(
  'detects a consumer whose configuration becomes unusable while it is in use',
  { tags: ['long'] },
  async ({ bed }) => {
    await using server = await startNatsServer();
    await using stream = await openStream({ url: server.url });
    await stream.prepare(30_000);
    using worker = await bed.serve({ NATS_URL: server.url });
    await until(async () => (await readiness(worker.url)).startsWith('200'));
    await stream.change({ max_deliver: 3 });
    await expectProblem(worker, 'max_deliver', () => stream.change({ max_deliver: -1 }));
  },
);

const DENIED = [
  ['read the stream info', '$JS.API.STREAM.INFO.>', 'cannot be read'],
  ['pull', '$JS.API.CONSUMER.MSG.NEXT.>', 'MSG.NEXT'],
  ['acknowledge', '$JS.ACK.>', 'acknowledging'],
] as const;

test.concurrent.for(sampled(DENIED, ONE))(
  'a worker that is not allowed to %s reports it, and recovers once it is',
  async ([, denied, reason], { bed }) => {
    await using server = await startNatsServer(users(denied));
    await using stream = await openStream({ url: server.urlOf('admin') });
    await stream.prepare(1000);
    const { id } = await aRecord(bed.ports, bed.family);
    await stream.publish([JSON.stringify(anEntry(id))]);
    using worker = await bed.serve({ NATS_URL: server.urlOf('worker') });
    await expectProblem(worker, reason, () => server.configure(users()));
    await until(() => isAcknowledged(stream), WITHIN_MS);
    expect(await bed.rows('select from log_entry where record_id = $1', [id])).toHaveLength(1);
  },
);

test.concurrent(
  'recreates and reads a stream that is missing after a restart of NATS',
  { tags: ['long'] },
  async ({ bed }) => {
    await using server = await startNatsServer();
    await using stream = await openStream({ url: server.url });
    const { id } = await aRecord(bed.ports, bed.family);
    using worker = await bed.serve({ NATS_URL: server.url });
    await until(async () => (await readiness(worker.url)).startsWith('200'));
    await stream.publish([JSON.stringify(anEntry(id))]);
    await until(() => isAcknowledged(stream), WITHIN_MS);
    await server.wipe();
    await until(() => stream.consumer().then(Boolean, () => false), WITHIN_MS);
    await stream.publish([JSON.stringify(anEntry(id))]);
    await until(() => isAcknowledged(stream), WITHIN_MS);
    expect(await bed.rows('select from log_entry where record_id = $1', [id])).toHaveLength(2);
    expect(await readiness(worker.url)).toMatch(/^200/);
  },
);

test.concurrent('stops normally if NATS no longer accepts its user', { tags: ['long'] }, async ({ bed }) => {
  await using server = await startNatsServer(users());
  const worker = bed.run({ NATS_URL: server.urlOf('worker') });
  const url = await worker.url();
  await until(async () => (await readiness(url)).startsWith('200'));
  await server.configure('authorization { users: [ { user: admin, password: admin } ] }');
  await until(async () => (await readiness(url)).includes("rejects the worker's user"), WITHIN_MS);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
  expect(worker.stderr()).toBe('');
});
