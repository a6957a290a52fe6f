import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { DomainError, type LogSource } from '@plugin-config/domain';
import { reasonOf } from '@plugin-config/server';
import { connectOptions } from './connect-options.ts';
import { consume, OUT_OF_REACH } from './consume.ts';
import { consumerRefusal } from './consumer-refusal.ts';
import { ensureConsumer, type ConsumerSettings } from './ensure-consumer.ts';
import { streamProblems } from './stream-problems.ts';

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
  /** Why nothing can come or be acknowledged at the moment; null where it can. */
  problem(): string | null;
  /** Calls back whenever the problem changes. */
  onProblem(listener: (problem: string | null) => void): void;
  lag(): Promise<StreamLag>;
  /** Waits until the last acknowledgement is on its way. */
  close(): Promise<void>;
}

/** A server that is away does not answer. */
const DRAINING_MS = 500;

/** The messages of a stream, through a durable consumer that all workers share. */
export function jetStreamSource(settings: JetStreamSettings): JetStreamSource {
  const { stream, consumer: name, url } = settings;
  let connection: NatsConnection | null = null;
  let tell = (_problem: string | null): void => undefined;
  const problems = streamProblems((problem) => tell(problem));
  problems.set('connection', OUT_OF_REACH);

  const outOfReach = (error: unknown): never => {
    problems.set('connection', OUT_OF_REACH);
    throw error;
  };
  const prepare = async (opened: NatsConnection) => {
    try {
      const manager = await jetstreamManager(opened);
      const consumer = await ensureConsumer(manager, settings);
      problems.set('consumer', null);
      return { manager, consumer };
    } catch (error) {
      problems.set(
        'consumer',
        error instanceof DomainError
          ? error.message
          : `The stream ${stream} cannot be read: ${reasonOf(error)}`,
      );
      throw error;
    }
  };

  return {
    channel: 'jetstream',
    problem: () => problems.current,
    onProblem: (listener) => {
      tell = listener;
    },
    async *batches(signal) {
      await connection?.close();
      const opened = await connect(connectOptions(url)).catch(outOfReach);
      connection = opened;
      const { manager, consumer } = await prepare(opened).finally(() => problems.set('connection', null));
      const refusal = async (): Promise<string | null> =>
        consumerRefusal(stream, (await manager.consumers.info(stream, name)).config);
      yield* consume({ connection: opened, stream, consumer, problems, refusal }, signal);
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
