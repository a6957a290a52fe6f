import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { DomainError, type LogSource } from '@plugin-config/domain';
import { reasonOf } from '@plugin-config/server';
import { connectOptions, type NatsAddress } from './connect-options.ts';
import { connectionProblem, UNREACHABLE } from './connection-problem.ts';
import { consume } from './consume.ts';
import { ensureConsumer, lateProblem, type ConsumerSettings } from './ensure-consumer.ts';
import { streamProblems } from './stream-problems.ts';

export interface JetStreamSettings extends ConsumerSettings {
  readonly address: NatsAddress;
}

/** How far the workers lag behind the stream. */
export interface StreamLag {
  /** Messages that have not been delivered yet. */
  readonly pending: number;
  /** Messages that have been delivered but not acknowledged yet. */
  readonly unacknowledged: number;
}

export interface JetStreamSource extends LogSource {
  /** Returns why messages cannot be received or acknowledged; null if they can. */
  problem(): string | null;
  /** Calls the listener whenever the problem changes. */
  onProblem(listener: (problem: string | null) => void): void;
  lag(): Promise<StreamLag>;
  /** Closes the connection once the last acknowledgement has been sent. */
  close(): Promise<void>;
}

/** The longest wait for a server that does not respond. */
const DRAINING_MS = 500;

/** Reads a stream through a durable consumer that all workers share. */
export function jetStreamSource(settings: JetStreamSettings): JetStreamSource {
  const { stream, consumer: name, address } = settings;
  let connection: NatsConnection | null = null;
  let notify = (_problem: string | null): void => undefined;
  const problems = streamProblems((problem) => notify(problem));
  problems.set('connection', UNREACHABLE);

  const open = async (): Promise<NatsConnection> => {
    try {
      return await connect(connectOptions(address));
    } catch (error) {
      const problem = connectionProblem(error);
      problems.set('connection', problem);
      throw new DomainError('unavailable', problem, { cause: error });
    }
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
      notify = listener;
    },
    async *batches(signal) {
      await connection?.close();
      const opened = await open();
      connection = opened;
      const { manager, consumer } = await prepare(opened).finally(() => problems.set('connection', null));
      const problem = () => lateProblem(manager, settings);
      yield* consume({ connection: opened, stream, consumer, problems, problem }, signal);
    },
    async lag() {
      if (connection === null) throw new Error(UNREACHABLE);
      const manager = await jetstreamManager(connection, { checkAPI: false });
      const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(
        stream,
        name,
      );
      return { pending, unacknowledged };
    },
    close: async () => {
      // Draining fails if NATS has closed the connection; there is then nothing left to send.
      await Promise.race([connection?.drain().catch(() => undefined), sleep(DRAINING_MS)]);
      await connection?.close();
    },
  };
}
