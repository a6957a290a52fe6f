import {
  AckPolicy,
  JetStreamApiError,
  type ConsumerConfig,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { DAY_MS, DomainError } from '@plugin-config/domain';
import { consumerProblem } from './consumer-problem.ts';

export interface ConsumerSettings {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  readonly retentionDays: number;
}

const NOT_FOUND = 404;
/** Messages that are not acknowledged within this time are delivered again. */
const ACK_WAIT_MS = 30_000;

/**
 * Creates the stream and the consumer if they are missing; does not change existing ones.
 * @throws DomainError `unavailable` if the configuration of the existing consumer cannot be used
 */
export async function ensureConsumer(
  manager: JetStreamManager,
  settings: ConsumerSettings,
): Promise<ConsumerConfig> {
  const { stream, consumer } = settings;
  const { config } = await unlessMissing(
    () => manager.streams.info(stream),
    () => manager.streams.add(newStream(settings)),
  );
  const { config: found } = await unlessMissing(
    () => manager.consumers.info(stream, consumer),
    () => manager.consumers.add(stream, newConsumer(settings, config)),
  );
  const refusal = consumerProblem(stream, found);
  if (refusal !== null) throw new DomainError('unavailable', refusal);
  return found;
}

function newStream({ stream, subject, retentionDays }: ConsumerSettings) {
  return { name: stream, subjects: [subject], max_age: nanos(retentionDays * DAY_MS) };
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
