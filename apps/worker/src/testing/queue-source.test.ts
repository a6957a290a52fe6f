import { logSourceContract, type SentToSource, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
import { queueSource, type Queue, type Received } from './queue-source.ts';

const AT = new Date('2026-03-01T09:30:00.000Z');

function memoryQueue(): Queue & { readonly send: SentToSource['send'] } {
  let waiting: Received[] = [];
  let sent = 0n;
  let arrived = Promise.withResolvers<void>();
  const put = (messages: readonly Received[]): void => {
    waiting.push(...messages);
    arrived.resolve();
  };
  return {
    async receive({ most, signal }) {
      signal.addEventListener('abort', () => arrived.resolve(), { once: true });
      if (waiting.length === 0 && !signal.aborted) await arrived.promise;
      arrived = Promise.withResolvers();
      const received = waiting.slice(0, most);
      waiting = waiting.slice(most);
      return received;
    },
    remove: async () => {},
    putBack: async (received) => put(received),
    send: async (lines) => put(lines.map((body) => ({ number: (sent += 1n), at: AT, body }))),
  };
}

const queueTest: TestWith<SentToSource> = (name, run) =>
  test(name, async () => {
    const queue = memoryQueue();
    await run({ source: queueSource({ queue }), send: queue.send, stop: new AbortController() });
  });

describe('the source to copy', () => {
  logSourceContract(queueTest);
});
