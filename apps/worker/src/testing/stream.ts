import {
  jetstream,
  jetstreamManager,
  type ConsumerConfig,
  type ConsumerInfo,
  type ConsumerUpdateConfig,
} from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { until } from '@plugin-config/server/testing';
import { connectOptions } from '../sources/jetstream/connect-options.ts';

const STREAM = 'PLUGIN_LOGS';
const CONSUMER = 'plugin-config-worker';
const AT_ONCE = 2000;
const POURED_WITHIN_MS = 20_000;

/** The stream for publishers and operators. */
export interface TestStream extends AsyncDisposable {
  /** Publishes lines. Resolves when the stream has all of them. */
  publish(lines: readonly string[]): Promise<void>;
  /** Publishes many lines faster than `publish`. */
  pour(lines: readonly string[]): Promise<void>;
  consumer(): Promise<ConsumerInfo>;
  /** Creates the consumer with this ack wait, as an operator may. */
  prepare(ackWaitMs: number, more?: Partial<ConsumerConfig>): Promise<void>;
  change(consumer: Partial<ConsumerUpdateConfig>): Promise<void>;
  removeConsumer(): Promise<void>;
}

export async function openStream(url: string): Promise<TestStream> {
  const connection = await connect({
    ...connectOptions(url),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  const manager = await jetstreamManager(connection);
  const client = jetstream(connection);
  return {
    publish: async (lines) => {
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        await Promise.all(
          lines.slice(at, at + AT_ONCE).map((line) => client.publish('plugin.logs.test', line)),
        );
      }
    },
    pour: async (lines) => {
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        for (const line of lines.slice(at, at + AT_ONCE)) connection.publish('plugin.logs.test', line);
        await connection.flush();
      }
      await until(
        async () => (await manager.streams.info(STREAM)).state.messages === lines.length,
        POURED_WITHIN_MS,
      );
    },
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
