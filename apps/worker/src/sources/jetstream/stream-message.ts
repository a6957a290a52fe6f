import type { MessageOrigin, SourceMessage } from '@plugin-config/domain';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { remoteParent, type Span } from '@plugin-config/tracing';
import { MESSAGE_MAX_BYTES } from '../batch-limits.ts';
import { streamMessageId } from '../derived-id.ts';
import { readDelivery } from './delivery.ts';

interface Sender {
  readonly connection: Pick<NatsConnection, 'publish'>;
  readonly stream: string;
}

const ACK = Buffer.from('+ACK');
/** In a millisecond. */
const NANOSECONDS = 1_000_000n;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * A message of a stream. Thousands of them are in memory until they are stored, so each keeps only its text and reply subject,
 * and parses the rest on demand.
 */
export class StreamMessage implements SourceMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
  readonly bytes: number;
  /** The span of the publisher, from its header `traceparent`. */
  readonly publisher: Span | null;
  readonly #address: string;
  readonly #from: Sender;

  constructor(message: Msg, from: Sender) {
    const { data, reply = '' } = message;
    const { buffer, byteOffset, byteLength } = data;
    this.text = Buffer.from(buffer, byteOffset, Math.min(byteLength, MESSAGE_MAX_BYTES)).toString();
    this.origin = originAt(Number(readDelivery(reply).nanoseconds / NANOSECONDS));
    this.bytes = byteLength;
    this.publisher = remoteParent(message, ({ headers }) => headers?.get('traceparent'));
    this.#address = reply;
    this.#from = from;
  }

  get position(): number {
    return Number(readDelivery(this.#address).sequence);
  }

  newId(): string {
    const { sequence, nanoseconds } = readDelivery(this.#address);
    return streamMessageId(this.#from.stream, sequence, nanoseconds);
  }

  acknowledge(): void {
    this.#from.connection.publish(this.#address, ACK);
  }

  /** Negatively acknowledges the message, to be redelivered at once, or later with back-off. */
  reject(when: 'later' | 'now'): void {
    const pause = when === 'now' ? 0 : pauseAfter(readDelivery(this.#address).count);
    this.#from.connection.publish(this.#address, `-NAK {"delay": ${pause * 1e6}}`);
  }
}

let latest = originOf(0);

/** Returns the origin of a message. Messages of the same millisecond share one object. */
function originAt(time: number): MessageOrigin {
  if (latest.receivedAt.getTime() !== time) latest = originOf(time);
  return latest;
}

function originOf(time: number): MessageOrigin {
  const at = new Date(time);
  return {
    channel: 'jetstream',
    receivedAt: at,
    streamTime: at,
    projectIds: [],
    pluginIds: [],
    owner: 'source jetstream',
    deadLetterId: null,
  };
}

function pauseAfter(count: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
}
