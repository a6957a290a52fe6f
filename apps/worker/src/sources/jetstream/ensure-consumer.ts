import {
  AckPolicy,
  JetStreamApiError,
  type ConsumerConfig,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { DomainError } from '@plugin-config/domain';
import { consumerRefusal } from './consumer-refusal.ts';

export interface ConsumerSettings {
  readonly stream: string;
  readonly subject: string;
  readonly consumer: string;
  readonly retentionDays: number;
}

const DAY_MS = 86_400_000;
const NOT_FOUND = 404;
/** What was delivered and is not heard of again, since its worker is gone, is delivered anew after this. */
const ACK_WAIT_MS = 30_000;

/**
 * Makes the stream and the consumer where they are missing, and leaves those alone that are there.
 * @throws DomainError `unavailable` where the consumer is one that no messages can be taken from
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
  const refusal = consumerRefusal(stream, found);
  if (refusal !== null) throw new DomainError('unavailable', refusal);
  return found;
}

function newStream({ stream, subject, retentionDays }: ConsumerSettings) {
  return { name: stream, subjects: [subject], max_age: nanos(retentionDays * DAY_MS) };
}

/** It is spread over all workers, so what limits it is each worker's own memory. */
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
