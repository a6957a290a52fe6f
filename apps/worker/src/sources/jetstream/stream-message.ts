import type { Origin, SourceMessage } from '@plugin-config/domain';
import type { Msg } from '@nats-io/transport-node';
import { streamMessageId } from '../made-up-id.ts';
import { readDelivery, readTime } from './delivery.ts';

const ACK = Buffer.from('+ACK');
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Made by the hundred thousand a second: what few of them are asked for is found when it is. */
export class StreamMessage implements SourceMessage {
  readonly text: string;
  readonly origin: Origin;
  readonly bytes: number;
  readonly #message: Msg;
  readonly #stream: string;

  constructor(message: Msg, stream: string) {
    const { buffer, byteOffset, byteLength } = message.data;
    this.text = Buffer.from(buffer, byteOffset, byteLength).toString();
    this.origin = originAt(readTime(addressOf(message)));
    this.bytes = byteLength;
    this.#message = message;
    this.#stream = stream;
  }

  newId(): string {
    const { sequence, nanoseconds } = readDelivery(addressOf(this.#message));
    return streamMessageId(this.#stream, sequence, nanoseconds);
  }

  acknowledge(): void {
    this.#message.respond(ACK);
  }

  /** Delivered again after a pause, a longer one each time; or at once. */
  giveBack(when: 'later' | 'now'): void {
    const pause = when === 'now' ? 0 : pauseAfter(readDelivery(addressOf(this.#message)).count);
    this.#message.respond(`-NAK {"delay": ${pause * 1e6}}`);
  }
}

function addressOf({ reply = '' }: Msg): string {
  return reply;
}

let latest = originOf(0);

/** Messages of one moment share it. */
function originAt(time: number): Origin {
  if (latest.receivedAt.getTime() !== time) latest = originOf(time);
  return latest;
}

function originOf(time: number): Origin {
  const at = new Date(time);
  return { channel: 'jetstream', receivedAt: at, streamTime: at, projectIds: [], deadLetterId: null };
}

function pauseAfter(count: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
}
