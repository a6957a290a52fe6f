import {
  AckPolicy,
  JetStreamApiError,
  type ConsumerConfig,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { DAY_MS, DomainError } from '@plugin-config/domain';
import { consumerProblem } from './consumer-problem.ts';

export interface ConsumerSettings {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  readonly retentionDays: number;
  /** The number of servers that keep each message. */
  readonly replicas: number;
}

const NOT_FOUND = 404;
/** Error codes of JetStream: no cluster at all, no suitable peers, insufficient resources. */
const TOO_FEW_SERVERS = new Set([10_074, 10_005, 10_023]);
/** Messages that are not acknowledged within this time are delivered again. */
const ACK_WAIT_MS = 30_000;

/**
 * Creates the stream and the consumer if they are missing; does not change existing ones.
 * @throws DomainError `unavailable` if the configuration of the existing ones cannot be used, or NATS has too few servers
 */
export async function ensureConsumer(
  manager: JetStreamManager,
  settings: ConsumerSettings,
): Promise<ConsumerConfig> {
  const { stream, consumer } = settings;
  const { config } = await unlessMissing(
    () => manager.streams.info(stream),
    () => addStream(manager, settings),
  );
  const lack = replicasProblem(config, settings);
  if (lack !== null) throw new DomainError('unavailable', lack);
  const { config: found } = await unlessMissing(
    () => manager.consumers.info(stream, consumer),
    () => manager.consumers.add(stream, newConsumer(settings, config)),
  );
  const rejection = consumerProblem(stream, found);
  if (rejection !== null) throw new DomainError('unavailable', rejection);
  return found;
}

/** Says why the consumer cannot be used any more; null if it can. */
export async function lateProblem(
  manager: JetStreamManager,
  { stream, consumer }: ConsumerSettings,
): Promise<string | null> {
  return unlessMissing(
    async () => consumerProblem(stream, (await manager.consumers.info(stream, consumer)).config),
    async () => `The consumer ${consumer} of the stream ${stream} is gone.`,
  );
}

async function addStream(
  manager: JetStreamManager,
  { stream, subject, retentionDays, replicas }: ConsumerSettings,
): Promise<StreamInfo> {
  try {
    return await manager.streams.add({
      name: stream,
      subjects: [subject],
      max_age: nanos(retentionDays * DAY_MS),
      num_replicas: replicas,
    });
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || !TOO_FEW_SERVERS.has(error.code)) throw error;
    const reason = `NATS has too few servers for ${replicas} replicas of the stream ${stream} (${error.message})`;
    throw new DomainError('unavailable', `${reason}: add servers to its cluster, or lower NATS_REPLICAS.`);
  }
}

function replicasProblem(
  { num_replicas }: StreamConfig,
  { stream, replicas }: ConsumerSettings,
): string | null {
  if (num_replicas >= replicas) return null;
  return `The stream ${stream} has a num_replicas of ${num_replicas}, less than NATS_REPLICAS: run nats stream edit ${stream} --replicas ${replicas}, or lower NATS_REPLICAS.`;
}

/** All workers share the consumer, so it has no limit of its own; each worker's memory limits what it pulls. */
function newConsumer(
  { subject, consumer }: ConsumerSettings,
  { subjects }: StreamConfig,
): Partial<ConsumerConfig> {
  const isAll = subjects.length === 1 && subjects[0] === subject;
  return {
    durable_name: consumer,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: -1,
    max_deliver: -1,
    ...(!isAll && { filter_subject: subject }),
  };
}

async function unlessMissing<T>(find: () => Promise<T>, make: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return make();
    throw error;
  }
}
