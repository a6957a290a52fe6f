import { setTimeout as sleep } from 'node:timers/promises';
import {
  jetstream,
  jetstreamManager,
  type ConsumerConfig,
  type ConsumerInfo,
  type ConsumerUpdateConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { connect, headers, nanos } from '@nats-io/transport-node';
import { until } from '@plugin-config/server/testing';
import { connectOptions, type NatsAddress } from '../sources/jetstream/connect-options.ts';
import type { WireEntry } from './entries.ts';

const STREAM = 'PLUGIN_LOGS';
const CONSUMER = 'plugin-config-worker';
const AT_ONCE = 2000;
const PUBLISHERS = 200;
/** The stream acknowledges within this time, unless a server is down. */
const ACKNOWLEDGED_WITHIN_MS = 1000;
/** A pause, since attempts can fail immediately while a server is down. */
const RETRY_MS = 50;
const STORED_WITHIN_MS = 20_000;

/** The stream, as publishers and operators use it. */
export interface TestStream extends AsyncDisposable {
  /** Publishes lines with these headers. Resolves once the stream has all of them. */
  publish(lines: readonly string[], headers?: Readonly<Record<string, string>>): Promise<void>;
  /** Publishes many lines faster than `publish`. Must be the only publisher. */
  publishFast(lines: readonly string[]): Promise<void>;
  /** Publishes each entry until the stream acknowledges it, like a publisher that must not lose any. */
  deliver(entries: readonly WireEntry[], onAcknowledged: () => void): Promise<void>;
  info(): Promise<StreamInfo>;
  consumer(): Promise<ConsumerInfo>;
  /** Creates the consumer with this ack wait, like an operator. */
  prepare(ackWaitMs: number, more?: Partial<ConsumerConfig>): Promise<void>;
  change(consumer: Partial<ConsumerUpdateConfig>): Promise<void>;
  removeConsumer(): Promise<void>;
}

export async function openStream(address: NatsAddress): Promise<TestStream> {
  const connection = await connect({
    ...connectOptions(address),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  const manager = await jetstreamManager(connection);
  const client = jetstream(connection);
  return {
    publish: async (lines, given = {}) => {
      const sent = headers();
      for (const [name, value] of Object.entries(given)) sent.set(name, value);
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        await Promise.all(
          lines
            .slice(at, at + AT_ONCE)
            .map((line) => client.publish('plugin.logs.test', line, { headers: sent })),
        );
      }
    },
    publishFast: async (lines) => {
      const { messages } = (await manager.streams.info(STREAM)).state;
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        for (const line of lines.slice(at, at + AT_ONCE)) connection.publish('plugin.logs.test', line);
        await connection.flush();
      }
      await until(
        async () => (await manager.streams.info(STREAM)).state.messages === messages + lines.length,
        STORED_WITHIN_MS,
      );
    },
    deliver: async (entries, onAcknowledged) => {
      const remaining = entries.values();
      const isStored = (entry: WireEntry): Promise<boolean> =>
        client
          .publish('plugin.logs.test', JSON.stringify(entry), {
            msgID: entry.id,
            timeout: ACKNOWLEDGED_WITHIN_MS,
          })
          .then(
            () => true,
            () => false,
          );
      const publisher = async (): Promise<void> => {
        for (const entry of remaining) {
          while (!(await isStored(entry))) await sleep(RETRY_MS);
          onAcknowledged();
        }
      };
      await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
    },
    info: () => manager.streams.info(STREAM),
    consumer: () => manager.consumers.info(STREAM, CONSUMER),
    prepare: async (ackWaitMs, more = {}) => {
      await manager.streams.add({ name: STREAM, subjects: ['plugin.logs.>'] });
      await manager.consumers.add(STREAM, {
        durable_name: CONSUMER,
        ack_policy: 'explicit',
        ack_wait: nanos(ackWaitMs),
        max_ack_pending: -1,
        ...more,
      });
    },
    change: async (consumer) => void (await manager.consumers.update(STREAM, CONSUMER, consumer)),
    removeConsumer: async () => void (await manager.consumers.delete(STREAM, CONSUMER)),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
