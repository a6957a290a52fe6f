import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { LogSource } from '@plugin-config/domain';
import { connectOptions } from './connect-options.ts';
import { consume } from './consume.ts';
import { ensureConsumer, type ConsumerSettings } from './ensure-consumer.ts';

export interface JetStreamSettings extends ConsumerSettings {
  readonly url: string;
}

/** How far the workers are behind their stream. */
export interface StreamLag {
  /** Not delivered to any of them yet. */
  readonly pending: number;
  /** Delivered, and not acknowledged yet. */
  readonly unacknowledged: number;
}

export interface JetStreamSource extends LogSource {
  /** Why nothing can come at the moment; null where it can. */
  problem(): string | null;
  lag(): Promise<StreamLag>;
  /** Waits until the last acknowledgement is on its way. */
  close(): Promise<void>;
}

/** A server that is away does not answer. */
const DRAINING_MS = 500;
const OUT_OF_REACH = 'NATS is out of reach.';

/** The messages of a stream, through a durable consumer that all workers share. */
export function jetStreamSource(settings: JetStreamSettings): JetStreamSource {
  const { stream, consumer: name, url } = settings;
  let connection: NatsConnection | null = null;
  let problem: string | null = OUT_OF_REACH;

  return {
    channel: 'jetstream',
    problem: () => problem,
    async *batches(signal) {
      await connection?.close();
      problem = OUT_OF_REACH;
      connection = await connect(connectOptions(url));
      problem = 'The stream gives no messages.';
      const consumer = await ensureConsumer(await jetstreamManager(connection), settings);
      problem = null;
      const onConnection = (there: boolean): void => {
        problem = there ? null : OUT_OF_REACH;
      };
      yield* consume({ connection, stream, consumer, onConnection }, signal);
    },
    async lag() {
      if (connection === null) throw new Error(OUT_OF_REACH);
      const manager = await jetstreamManager(connection, { checkAPI: false });
      const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(
        stream,
        name,
      );
      return { pending, unacknowledged };
    },
    close: async () => {
      await Promise.race([connection?.drain(), sleep(DRAINING_MS)]);
      await connection?.close();
    },
  };
}
