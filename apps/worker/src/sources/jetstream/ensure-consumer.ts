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

export interface ConsumerSettings {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  readonly retentionDays: number;
  /** The number of servers that store each message. */
  readonly replicas: number;
}

const NOT_FOUND = 404;
/** Error codes of JetStream: no cluster at all, no suitable peers, insufficient resources. */
const TOO_FEW_SERVERS = new Set([10_074, 10_005, 10_023]);
/** Messages that are not acknowledged within this time are redelivered. */
const ACK_WAIT_MS = 30_000;
const SHORTEST_EXPIRY = nanos(1000);

/**
 * Creates the stream and the consumer if they are missing. Does not change them if they exist.
 * @throws DomainError `unavailable` if their configuration cannot be used, or NATS has too few servers
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
  const problemOfStream = replicasProblem(config, settings);
  if (problemOfStream !== null) throw new DomainError('unavailable', problemOfStream);
  const { config: found } = await unlessMissing(
    () => manager.consumers.info(stream, consumer),
    () => manager.consumers.add(stream, newConsumer(settings, config)),
  );
  const problem = consumerProblem(stream, found);
  if (problem !== null) throw new DomainError('unavailable', problem);
  return found;
}

/** Returns why the consumer can no longer be used; null if it can. */
export async function lateProblem(
  manager: JetStreamManager,
  { stream, consumer }: ConsumerSettings,
): Promise<string | null> {
  return unlessMissing(
    async () => consumerProblem(stream, (await manager.consumers.info(stream, consumer)).config),
    async () => `The consumer ${consumer} of the stream ${stream} was deleted.`,
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
  return `The stream ${stream} has num_replicas = ${num_replicas}, which is less than NATS_REPLICAS: run nats stream edit ${stream} --replicas ${replicas}, or lower NATS_REPLICAS.`;
}

/** The consumer has no limits, because all workers share it. Each worker limits what it pulls by its memory. */
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

/** Explains why a consumer's configuration cannot be used, and what to change; null if it can. */
function consumerProblem(stream: string, config: ConsumerConfig): string | null {
  const name = config.durable_name ?? config.name ?? '';
  const wrong = wrongSetting(config);
  return wrong === null ? null : `The consumer ${name} of the stream ${stream} ${wrong}`;
}

function wrongSetting(config: ConsumerConfig): string | null {
  const { ack_policy, deliver_subject, max_deliver = -1, max_expires = 0, headers_only = false } = config;
  if (ack_policy !== AckPolicy.Explicit || deliver_subject !== undefined) {
    return 'is not a pull consumer with explicit acks: recreate it.';
  }
  if (max_deliver > 0) {
    return 'has max_deliver set, which would lose messages during an outage of the database: set it to -1.';
  }
  if (max_expires > 0 && max_expires < SHORTEST_EXPIRY) {
    return 'has a max_expires of less than a second: omit it, or set it to 30 seconds.';
  }
  return headers_only ? 'delivers only headers: set headers_only to false.' : null;
}
