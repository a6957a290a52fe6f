import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConsumerConfig } from '@nats-io/jetstream';
import { PermissionViolationError, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { DomainError } from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import type { TracedBatch } from '../../loops/ingest-from.ts';
import { BATCH_MESSAGES, GATHERING } from '../batch-limits.ts';
import { gatherer } from '@plugin-config/flow/node';
import { UNREACHABLE } from './connection-problem.ts';
import { openPull } from './pull.ts';
import { StreamMessage } from './stream-message.ts';
import type { StreamProblems } from './stream-problems.ts';

interface Consuming {
  readonly connection: NatsConnection;
  readonly stream: string;
  readonly consumer: ConsumerConfig;
  readonly problems: StreamProblems;
  /** Returns why the consumer can no longer be used; null if it can. Rejects if NATS does not respond. */
  problem(): Promise<string | null>;
}

const UNACKNOWLEDGED_MESSAGES = 4 * BATCH_MESSAGES;
const UNACKNOWLEDGED_BYTES = 32 * 1024 * 1024;
const ACK_SUBJECT = '$JS.ACK.';
/** How often to check for a deleted or changed consumer. NATS does not respond to requests to a deleted one. */
const CHECK_MS = 10_000;
const NO_ROOM = { messages: 0, bytes: 0 };

/**
 * Yields batches of a consumer over a reconnecting connection. At the end, negatively acknowledges the messages that were not
 * yielded. It does so after the last delivery, since the server would otherwise send them to this worker again.
 */
export async function* consume(
  { connection, stream, consumer, problems, problem }: Consuming,
  signal: StopSignal,
): AsyncGenerator<TracedBatch> {
  const waiting = gatherer<StreamMessage>(GATHERING);
  /** What was delivered to this worker, but neither acknowledged nor rejected. */
  const unacknowledged = { messages: 0, bytes: 0 };
  const maxBytes = Math.max(UNACKNOWLEDGED_BYTES, 2 * (connection.info?.max_payload ?? 0));
  const sender = { connection, stream };
  const receive = (raw: Msg): void => {
    const message = new StreamMessage(raw, sender);
    unacknowledged.messages++;
    unacknowledged.bytes += message.bytes;
    waiting.add(message);
  };
  const pull = openPull({
    connection,
    stream,
    consumer,
    room: () =>
      signal.aborted
        ? NO_ROOM
        : {
            messages: UNACKNOWLEDGED_MESSAGES - unacknowledged.messages,
            bytes: maxBytes - unacknowledged.bytes,
          },
    onMessage: receive,
    onProblem: (reason) => {
      if (reason === null || !problems.has('connection')) problems.set('pull', reason);
    },
    onEnd: waiting.end,
  });
  let isOver = false;
  const settle = (
    messages: readonly StreamMessage[],
    acknowledge: (message: StreamMessage, at: number) => void,
  ): void => {
    unacknowledged.messages -= messages.length;
    for (const { bytes } of messages) unacknowledged.bytes -= bytes;
    messages.forEach(acknowledge);
    pull.request();
    // If the connection ends, it is unknown whether acknowledging works.
    if (problems.has('acknowledgement')) verifyAcknowledgement().catch(() => undefined);
  };
  let denials = 0;
  /** The server reports a permission violation before it responds to a ping. The client emits it one turn later. */
  const verifyAcknowledgement = async (): Promise<void> => {
    const before = denials;
    await connection.flush();
    await nextTurn();
    if (denials === before) problems.set('acknowledgement', null);
  };
  const onDenied = (subject: string): void => {
    const reason = `NATS does not allow publishing to ${subject}: grant this permission to the user in NATS_URL.`;
    if (subject === pull.address) problems.set('pull', reason);
    if (!subject.startsWith(ACK_SUBJECT)) return;
    denials++;
    const denial = `NATS does not allow acknowledging messages: allow the user in NATS_URL to publish to ${ACK_SUBJECT}>.`;
    problems.set('acknowledgement', denial);
    waiting.end(new DomainError('unavailable', denial));
  };
  /** Ends the batches if the consumer can no longer be used. The next batches begin with a new consumer. */
  const check = (): void => {
    problem().then(
      (reason) => reason !== null && waiting.end(new DomainError('unavailable', reason)),
      () => undefined,
    );
  };
  const checks = setInterval(check, CHECK_MS);
  const onConnection = (isConnected: boolean): void => {
    if (isOver) return;
    if (isConnected) problems.set('pull', null);
    problems.set('connection', isConnected ? null : UNREACHABLE);
    if (!isConnected) return;
    pull.renew();
    check();
  };
  watch(connection, { onConnection, onDenied })
    .then(async () => (await connection.closed()) ?? new Error('The connection to NATS was closed.'))
    .then(waiting.end, waiting.end);

  pull.request();
  try {
    for await (const messages of waiting.batches(signal)) {
      yield {
        messages,
        senders: messages.flatMap(({ publisher }) => publisher ?? []),
        acknowledge: async (outcomes) =>
          settle(messages, (message, at) =>
            outcomes[at] === 'unavailable' ? message.reject('later') : message.acknowledge(),
          ),
        release: async () => settle(messages, (message) => message.reject('later')),
      };
    }
  } finally {
    isOver = true;
    clearInterval(checks);
    await pull.end();
    const rest = waiting.rest();
    if (!connection.isClosed()) for (const message of rest) message.reject('now');
  }
}

interface Watcher {
  onConnection(isConnected: boolean): void;
  /** Called with a subject that the worker may not publish to. */
  onDenied(subject: string): void;
}

async function watch(connection: NatsConnection, { onConnection, onDenied }: Watcher): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') onConnection(false);
    else if (status.type === 'reconnect') onConnection(true);
    else if (status.type === 'error' && status.error instanceof PermissionViolationError) {
      if (status.error.operation === 'publish') onDenied(status.error.subject);
    }
  }
}
