import type { MessageOrigin, SourceMessage } from '@plugin-config/domain';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { MESSAGE_MOST_BYTES } from '../batch-limits.ts';
import { streamMessageId } from '../made-up-id.ts';
import { readDelivery, readTime } from './delivery.ts';

/** Where messages come from, and answers to them go. */
interface Sender {
  readonly connection: Pick<NatsConnection, 'publish'>;
  readonly stream: string;
}

const ACK = Buffer.from('+ACK');
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Made by the hundred thousand a second, and held until they are stored: of what arrived it keeps the text and the
 * address for the acknowledgement alone, and finds what few of them are asked for when it is.
 */
export class StreamMessage implements SourceMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
  readonly bytes: number;
  readonly #address: string;
  readonly #from: Sender;

  constructor({ data, reply = '' }: Msg, from: Sender) {
    const { buffer, byteOffset, byteLength } = data;
    this.text = Buffer.from(buffer, byteOffset, Math.min(byteLength, MESSAGE_MOST_BYTES)).toString();
    this.origin = originAt(readTime(reply));
    this.bytes = byteLength;
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

  /** Delivered again after a pause, a longer one each time; or at once. */
  giveBack(when: 'later' | 'now'): void {
    const pause = when === 'now' ? 0 : pauseAfter(readDelivery(this.#address).count);
    this.#from.connection.publish(this.#address, `-NAK {"delay": ${pause * 1e6}}`);
  }
}

let latest = originOf(0);

/** Messages of one moment share it. */
function originAt(time: number): MessageOrigin {
  if (latest.receivedAt.getTime() !== time) latest = originOf(time);
  return latest;
}

function originOf(time: number): MessageOrigin {
  const at = new Date(time);
  return { channel: 'jetstream', receivedAt: at, streamTime: at, projectIds: [], deadLetterId: null };
}

function pauseAfter(count: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
}
