import type { ChildProcess } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { hasEnded, spawnApp, stopProcess } from '../app-process.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { watchPeakMb } from '../peak-memory.ts';
import { withNats } from './nats.ts';
import type { IngestPath } from './ingest-path.ts';
import type { EntryFiles } from './write-entries.ts';

/** Defaults of the worker. */
const STREAM = 'PLUGIN_LOGS';
const CONSUMER = 'plugin-config-worker';
const SUBJECT = 'plugin.logs.bench';

const FLUSH_EVERY = 2000;
const POLL_MS = 50;

/** Starts the worker once a stream contains all messages, one per entry. */
export const byJetStream =
  (natsServer: string): IngestPath =>
  ({ databaseUrl, files }) =>
    withNats(natsServer, async (url, connection) => {
      const manager = await jetstreamManager(connection);
      await publish(connection, manager, files);
      const port = String(await freePort());
      const worker = spawnApp('worker', { DATABASE_URL: databaseUrl, NATS_URL: url, WORKER_PORT: port });
      const peakMb = watchPeakMb(worker);
      try {
        return { seconds: await consumed(manager, files.entries, worker), peakMb: peakMb() };
      } finally {
        await stopProcess(worker);
      }
    });

async function publish(
  connection: NatsConnection,
  manager: JetStreamManager,
  { lines, entries }: EntryFiles,
): Promise<void> {
  await manager.streams.add({ name: STREAM, subjects: ['plugin.logs.>'] });
  let sent = 0;
  for await (const line of createInterface(createReadStream(lines))) {
    connection.publish(SUBJECT, line);
    sent++;
    if (sent % FLUSH_EVERY === 0) await connection.flush();
  }
  while ((await manager.streams.info(STREAM)).state.messages < entries) await sleep(POLL_MS);
}

/** Returns the seconds from the last check without deliveries to the first check with everything acknowledged. */
async function consumed(manager: JetStreamManager, entries: number, worker: ChildProcess): Promise<number> {
  let started = performance.now();
  while (!hasEnded(worker)) {
    const polledAt = performance.now();
    const { delivered, acknowledged } = await progressOf(manager);
    if (delivered === 0) started = polledAt;
    if (acknowledged === entries) return (performance.now() - started) / 1000;
    await sleep(POLL_MS);
  }
  throw new Error('The worker ended before the end of the stream.');
}

/** Reads the progress of the consumer, which the worker creates after its start. */
async function progressOf(manager: JetStreamManager): Promise<Progress> {
  try {
    const { delivered, ack_floor: floor } = await manager.consumers.info(STREAM, CONSUMER);
    return { delivered: delivered.stream_seq, acknowledged: floor.stream_seq };
  } catch {
    return { delivered: 0, acknowledged: 0 };
  }
}

/** Sequence numbers of messages, from the start of the stream. */
interface Progress {
  readonly delivered: number;
  readonly acknowledged: number;
}
