/** @module-tag long */

import { expect, test } from 'vitest';
import { startNatsCluster } from '../../testing/nats-cluster.ts';
import { startNatsServer } from '../../testing/nats-server.ts';
import { openStream } from '../../testing/stream.ts';
import { jetStreamSource } from './jetstream-source.ts';

const sourceOf = (url: string, replicas: number) =>
  jetStreamSource({
    address: { url },
    stream: 'PLUGIN_LOGS',
    subject: 'plugin.logs.>',
    consumer: 'plugin-config-worker',
    retentionDays: 7,
    replicas,
  });

/** Expects the source to yield no batch, and to report why. */
async function expectRejection(url: string, replicas: number, reason: RegExp): Promise<void> {
  const source = sourceOf(url, replicas);
  const batches = source.batches(new AbortController().signal)[Symbol.asyncIterator]();
  await expect(batches.next()).rejects.toThrow(reason);
  expect(source.problem()).toMatch(reason);
  await source.close();
}

const TOO_FEW = /too few servers for 3 replicas of the stream PLUGIN_LOGS .*NATS_REPLICAS/;

test('a single server is too few for three replicas', async () => {
  await using server = await startNatsServer();
  await expectRejection(server.url, 3, TOO_FEW);
});

test('a cluster of two servers is too few for three replicas', async () => {
  await using cluster = await startNatsCluster(2);
  await expectRejection(cluster.url, 3, TOO_FEW);
});

test('rejects a stream with fewer replicas than required, and does not change it', async () => {
  await using server = await startNatsServer();
  await using stream = await openStream({ url: server.url });
  await stream.prepare(30_000);
  await expectRejection(server.url, 2, /num_replicas = 1.*nats stream edit PLUGIN_LOGS --replicas 2/);
  expect((await stream.info()).config.num_replicas).toBe(1);
});
