import type { SourceMessage } from '@plugin-config/domain';
import type { Msg } from '@nats-io/transport-node';
import { streamMessageId } from '../made-up-id.ts';
import { readDelivery } from './delivery.ts';

export interface StreamMessage extends SourceMessage {
  readonly bytes: number;
  acknowledge(): void;
  /** Delivered again after a pause, a longer one each time; or at once. */
  giveBack(when: 'later' | 'now'): void;
}

const ACK = Buffer.from('+ACK');
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

export function streamMessage(message: Msg, stream: string): StreamMessage {
  const { count, sequence, milliseconds, nanoseconds } = readDelivery(message.reply ?? '');
  const { buffer, byteOffset, byteLength } = message.data;
  const time = new Date(milliseconds);
  return {
    text: Buffer.from(buffer, byteOffset, byteLength).toString(),
    origin: { channel: 'jetstream', receivedAt: time, streamTime: time, projectIds: [], deadLetterId: null },
    newId: () => streamMessageId(stream, BigInt(sequence), BigInt(nanoseconds)),
    bytes: byteLength,
    acknowledge: () => void message.respond(ACK),
    giveBack: (when) => void message.respond(`-NAK {"delay": ${when === 'now' ? 0 : pauseAfter(count) * 1e6}}`),
  };
}

function pauseAfter(count: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
}
