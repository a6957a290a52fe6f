import type { ConsumerConfig } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { SourceBatch, StopSignal } from '@plugin-config/domain';
import { BATCH_MESSAGES } from '../batch-limits.ts';
import { gatherer } from '../gatherer.ts';
import { holding } from './holding.ts';
import { openPull } from './pull.ts';
import { StreamMessage } from './stream-message.ts';

interface Consuming {
  readonly connection: NatsConnection;
  readonly stream: string;
  readonly consumer: ConsumerConfig;
  /** Told when the connection breaks, and when it is there again. */
  onConnection(there: boolean): void;
}

const HELD_MESSAGES = 4 * BATCH_MESSAGES;
const HELD_BYTES = 32 * 1024 * 1024;
const NO_ROOM = { messages: 0, bytes: 0 };

/**
 * Batches of a consumer, over a connection that mends itself. What is not handed out at the end is given back, once
 * nothing comes any more: before, it would be sent to us again.
 */
export async function* consume(
  { connection, stream, consumer, onConnection }: Consuming,
  signal: StopSignal,
): AsyncGenerator<SourceBatch> {
  const waiting = gatherer<StreamMessage>();
  const held = holding();
  const mostBytes = Math.max(HELD_BYTES, 2 * (connection.info?.max_payload ?? 0));
  const sender = { connection, stream };
  const take = (raw: Msg): void => {
    const message = new StreamMessage(raw, sender);
    held.add(message);
    waiting.add(message);
  };
  const pull = openPull({
    connection,
    stream,
    consumer,
    room: () =>
      signal.aborted ? NO_ROOM : { messages: HELD_MESSAGES - held.messages, bytes: mostBytes - held.bytes },
    onMessage: take,
    onEnd: waiting.end,
  });
  const settle = (messages: readonly StreamMessage[], tell: (message: StreamMessage) => void): void => {
    held.letGo(messages);
    messages.forEach(tell);
    pull.ask();
  };
  void watch(connection, (there) => {
    onConnection(there);
    if (there) pull.askAnew();
  });
  void connection
    .closed()
    .then((reason) => waiting.end(reason ?? new Error('The connection to NATS was closed.')));

  pull.ask();
  try {
    for await (const messages of waiting.batches(signal)) {
      yield {
        messages,
        acknowledge: async () => settle(messages, (message) => message.acknowledge()),
        release: async () => settle(messages, (message) => message.giveBack('later')),
      };
    }
  } finally {
    await pull.end();
    if (!connection.isClosed()) for (const message of waiting.rest()) message.giveBack('now');
  }
}

async function watch(connection: NatsConnection, onConnection: (there: boolean) => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') onConnection(false);
    else if (type === 'reconnect') onConnection(true);
  }
}
