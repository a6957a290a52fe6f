import { setTimeout as sleep } from 'node:timers/promises';
import { aRecord } from '@plugin-config/testing';
import { until, type RunningProcess } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { anEntry } from '../../testing/entries.ts';
import { startNatsServer } from '../../testing/nats-server.ts';
import { openStream, type TestStream } from '../../testing/stream.ts';
import { test } from '../../testing/worker.fixture.ts';

const WITHIN_MS = 20_000;
const SOME_TRIES_MS = 1500;
const SECOND = 1_000_000_000;

/** Two users: one without restrictions, and one for the worker that may not publish to the denied subject. */
const users = (denied = 'nothing'): string => `authorization { users: [
  { user: admin, password: admin }
  { user: worker, password: worker, permissions: { publish: { deny: "${denied}" } } }
] }`;

const readiness = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/readyz`);
  return `${answer.status} ${((await answer.json()) as { readonly detail?: string }).detail ?? ''}`;
};

const problemOf = async (url: string): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^stream_problem (\d)$/m.exec(metrics)?.[1]);
};

const isAcknowledged = async (stream: TestStream): Promise<boolean> =>
  (await stream.consumer().catch(() => null))?.ack_floor.stream_seq === 1;

const linesOf = (worker: RunningProcess, reason: string): number =>
  worker
    .stdout()
    .split('\n')
    .filter((line) => line.includes(reason) && line.includes('the stream gives no messages')).length;

/** Expects the problem in readiness, metric and one log line, and that it ends by itself. */
async function expectProblem(
  worker: RunningProcess,
  reason: string,
  mend: () => Promise<void>,
): Promise<void> {
  const url = await worker.url();
  await until(async () => (await readiness(url)).includes(reason), WITHIN_MS);
  await sleep(SOME_TRIES_MS);
  expect([(await readiness(url)).slice(0, 3), await problemOf(url), linesOf(worker, reason)]).toEqual([
    '503',
    1,
    1,
  ]);
  await mend();
  await until(async () => (await readiness(url)).startsWith('200'), WITHIN_MS);
  expect(await problemOf(url)).toBe(0);
}

test.for([
  ['max_deliver', { max_deliver: 3 }, { max_deliver: -1 }],
  ['max_expires', { max_expires: SECOND / 10 }, { max_expires: SECOND }],
] as const)(
  'a consumer with a wrong %s is refused until it is set up otherwise',
  async ([name, wrong, right], { bed }) => {
    await using server = await startNatsServer();
    await using stream = await openStream(server.url);
    await stream.prepare(30_000, wrong);
    const { id } = await aRecord(bed.ports, bed.family);
    await stream.publish([JSON.stringify(anEntry(id))]);
    const worker = bed.run({ NATS_URL: server.url });
    await expectProblem(worker, name, async () => {
      expect(await stream.consumer()).toMatchObject({ num_pending: 1, num_ack_pending: 0 });
      await stream.change(right);
    });
    await until(() => isAcknowledged(stream), WITHIN_MS);
    expect(await bed.rows('select from log_entry where record_id = $1', [id])).toHaveLength(1);
    worker.child.kill('SIGKILL');
    await worker.exited;
  },
);

test('a consumer whose configuration becomes unusable while it is used is noticed', async ({ bed }) => {
  await using server = await startNatsServer();
  await using stream = await openStream(server.url);
  await stream.prepare(30_000);
  const worker = bed.run({ NATS_URL: server.url });
  const url = await worker.url();
  await until(async () => (await readiness(url)).startsWith('200'));
  await stream.change({ max_deliver: 3 });
  await expectProblem(worker, 'max_deliver', () => stream.change({ max_deliver: -1 }));
  worker.child.kill('SIGKILL');
  await worker.exited;
});

test.for([
  ['pull', '$JS.API.CONSUMER.MSG.NEXT.>', 'MSG.NEXT'],
  ['acknowledge', '$JS.ACK.>', 'acknowledge'],
  ['look at the stream', '$JS.API.STREAM.INFO.>', 'cannot be read'],
] as const)(
  'a worker that may not %s says so, and goes on once it may',
  async ([, denied, reason], { bed }) => {
    await using server = await startNatsServer(users(denied));
    await using stream = await openStream(server.urlOf('admin'));
    await stream.prepare(1000);
    const { id } = await aRecord(bed.ports, bed.family);
    await stream.publish([JSON.stringify(anEntry(id))]);
    const worker = bed.run({ NATS_URL: server.urlOf('worker') });
    await expectProblem(worker, reason, () => server.configure(users()));
    await until(() => isAcknowledged(stream), WITHIN_MS);
    expect(await bed.rows('select from log_entry where record_id = $1', [id])).toHaveLength(1);
    worker.child.kill('SIGKILL');
    await worker.exited;
  },
);
