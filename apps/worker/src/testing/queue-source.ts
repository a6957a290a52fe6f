import type { LogSource, SourceBatch } from '@plugin-config/domain';
import { streamMessageId } from '../sources/derived-id.ts';

export interface Queue {
  /** Waits for messages. Resolves to none when the time is up or the signal is aborted. */
  receive(limits: {
    readonly most: number;
    readonly waitMs: number;
    readonly signal: AbortSignal;
  }): Promise<readonly Received[]>;
  remove(received: readonly Received[]): Promise<void>;
  putBack(received: readonly Received[]): Promise<void>;
}

export interface Received {
  readonly number: bigint;
  readonly at: Date;
  readonly body: string;
}

export function queueSource({ queue }: { readonly queue: Queue }): LogSource {
  return {
    channel: 'queue',
    async *batches(signal: AbortSignal) {
      while (!signal.aborted) {
        const received = await queue.receive({ most: 2000, waitMs: 1000, signal });
        if (received.length > 0) yield batchOf(received, queue);
      }
    },
  };
}

function batchOf(received: readonly Received[], queue: Queue): SourceBatch {
  return {
    messages: received.map(({ body, at, number }) => ({
      text: body,
      origin: {
        channel: 'queue',
        receivedAt: at,
        streamTime: at,
        projectIds: [],
        pluginIds: [],
        owner: 'source queue',
        deadLetterId: null,
      },
      position: Number(number),
      newId: () => streamMessageId('queue', number, BigInt(at.getTime()) * 1_000_000n),
    })),
    acknowledge: async () => queue.remove(received),
    release: async () => queue.putBack(received),
  };
}
