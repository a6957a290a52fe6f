/** @module-tag long */

import { nanos } from '@nats-io/transport-node';
import { until } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { expectExactly, manyEntries, seeded } from './testing/faults.ts';
import { startNatsCluster } from './testing/nats-cluster.ts';
import { openStream, type TestStream } from './testing/stream.ts';
import { test } from './testing/worker.fixture.ts';

const SERVERS = 3;
/** How many entries are published while one server is killed and restarted. */
const ENTRIES_PER_KILL = 2_000;
const SEED = 20_260_403;
const ACK_WAIT_MS = 2_000;
const WITHIN_MS = 120_000;
const TIMEOUT_MS = 300_000;

/** Returns the leader of the stream once every follower has all messages and a server can be killed; null until then. */
async function leaderOnceSynced(stream: TestStream): Promise<string | null> {
  const { cluster } = await stream.info().catch(() => ({ cluster: undefined }));
  const followers = cluster?.replicas ?? [];
  const isSynced = followers.length === SERVERS - 1 && followers.every(({ current }) => current);
  return isSynced ? (cluster?.leader ?? null) : null;
}

async function stateOf(stream: TestStream): Promise<string> {
  return JSON.stringify(await Promise.all([stream.info(), stream.consumer()]).catch(String));
}

test(
  'stores each acknowledged message once, no matter which server of a cluster is killed',
  async ({ bed }) => {
    await using cluster = await startNatsCluster(SERVERS);
    using worker = await bed.serve({ NATS_URL: cluster.url, NATS_REPLICAS: String(SERVERS) });
    await until(async () => (await fetch(`${worker.url}/readyz`)).ok, WITHIN_MS);
    await using stream = await openStream({ url: cluster.url });
    await stream.change({ ack_wait: nanos(ACK_WAIT_MS) });

    const random = seeded(SEED);
    const entries = manyEntries(bed.record.id, SERVERS * ENTRIES_PER_KILL);
    const alive = new Map(cluster.servers);
    for (let round = 0; round < SERVERS; round++) {
      let leader: string | null = null;
      await until(async () => (leader = await leaderOnceSynced(stream)) !== null, WITHIN_MS);
      const names = [...alive.keys()];
      const name = round === 0 ? leader : names[Math.floor(random() * names.length)];
      let acknowledged = 0;
      const chunk = entries.slice(round * ENTRIES_PER_KILL, (round + 1) * ENTRIES_PER_KILL);
      const delivered = stream.deliver(chunk, () => acknowledged++);
      const share = async (part: number): Promise<void> =>
        until(() => acknowledged >= part * ENTRIES_PER_KILL, WITHIN_MS);
      await share(random() / 2);
      await alive.get(name ?? '')?.kill();
      await share(0.5 + random() / 2);
      await alive.get(name ?? '')?.start();
      alive.delete(name ?? '');
      await delivered;
    }
    expect(alive.size).toBe(0);
    // Wait until the server has every acknowledgement: a restarted one may have forgotten some.
    const stored = async () => (await bed.rows('select from log_entry')).length;
    await until(async () => (await stored()) === entries.length, WITHIN_MS).catch(async (cause: unknown) => {
      throw new Error(`${await stored()} entries are stored. ${await stateOf(stream)}`, { cause });
    });
    // A server that has just become the leader may still be counting its messages.
    await expect.poll(async () => (await stream.info()).state.messages).toBe(entries.length);
    await expectExactly(bed, bed.record, entries);
    await worker.stop();
  },
  TIMEOUT_MS,
);
