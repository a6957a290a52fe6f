import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerConfig } from '@nats-io/jetstream';
import {
  createInbox,
  nanos,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { DomainError } from '@plugin-config/domain';
import { BATCH_MESSAGES } from '../batch-limits.ts';

export interface Room {
  readonly messages: number;
  readonly bytes: number;
}

export interface PullOptions {
  readonly connection: NatsConnection;
  readonly stream: string;
  readonly consumer: ConsumerConfig;
  /** Returns how much may be delivered. */
  room(): Room;
  onMessage(message: Msg): void;
  /** Called with the reason why requests fail, or null when one succeeds. */
  onProblem(reason: string | null): void;
  /** Called when the consumer ends. */
  onEnd(reason: Error): void;
}

/** Pulls messages of a durable consumer, as many as there is room for, with at most one open request. */
export interface Pull {
  /** The subject of the requests. */
  readonly address: string;
  /** Sends a request, unless one is open or there is no room. */
  ask(): void;
  /** Sends a new request, whatever happened to the open one. */
  reask(): void;
  /** Stops requesting. Resolves when no more messages can arrive. */
  end(): Promise<void>;
}

const EXPIRES_MS = 30_000;
/** A server that is gone, or that has forgotten the request, is asked again after two heartbeats that did not come. */
const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 2 * HEARTBEAT_MS + 1_000;
const WATCH_MS = 1_000;
/** The longest wait for a server that does not answer. */
const DRAINING_MS = 1_000;
/** A message on its way arrives within this time. One that arrives after the end is redelivered only after a while. */
const QUIET_MS = 50;
const LOOK_MS = 10;
const REQUEST_BYTES = 8 * 1024 * 1024;
/** Headers and subjects count, too. */
const OVERHEAD_BYTES = 64 * 1024;
const HEARTBEAT = 100;
const EXPIRED = 408;
const TOO_LARGE = /maxbytes/i;
const PASSING = /maxbytes|leadership|shutdown|no messages/i;

export function openPull(options: PullOptions): Pull {
  const { connection, stream, consumer, room, onMessage, onProblem, onEnd } = options;
  const name = `${stream}.${consumer.durable_name ?? consumer.name}`;
  const address = `$JS.API.CONSUMER.MSG.NEXT.${name}`;
  const inbox = createInbox();
  let open = 0;
  let asked = 0;
  let heardAt = 0;
  let ended = false;

  const ask = (): void => {
    const request = requestFor(room(), connection, consumer);
    if (open > 0 || ended || request === null) return;
    open = request.batch;
    asked = request.batch;
    heardAt = performance.now();
    connection.publish(address, JSON.stringify(request), { reply: inbox });
  };
  const onSilence = (): void => {
    if (!connection.isClosed()) onProblem(`The stream ${stream} does not answer requests for messages.`);
  };
  const isComing = (): boolean => open > 0 && performance.now() - heardAt < QUIET_MS;
  const reask = (): void => {
    open = 0;
    ask();
  };
  const take = (message: Msg): void => {
    open--;
    onProblem(null);
    onMessage(message);
    ask();
  };
  const obey = ({ headers }: Msg): void => {
    const { code = 0, description = '' } = headers ?? {};
    const isRejected = TOO_LARGE.test(description) && open === asked;
    if (isRejected)
      onProblem(`The next message of the stream ${stream} is larger than max_bytes of its consumer.`);
    else if (code === HEARTBEAT || code === EXPIRED || PASSING.test(description)) onProblem(null);
    if (code === HEARTBEAT) return;
    if (code === EXPIRED) reask();
    else if (PASSING.test(description)) open = 0;
    else {
      const reason = `The stream ${stream} gives no messages: ${description || `status ${code}`}.`;
      onProblem(reason);
      onEnd(new DomainError('unavailable', reason));
    }
  };
  const subscription: Subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      heardAt = performance.now();
      if (error !== null) onEnd(error);
      else if (message.reply) take(message);
      else obey(message);
    },
  });
  const watch = setInterval(() => {
    if (open <= 0) ask();
    else if (performance.now() - heardAt > SILENCE_MS) {
      onSilence();
      reask();
    }
  }, WATCH_MS);

  return {
    address,
    ask,
    reask,
    end: async () => {
      ended = true;
      clearInterval(watch);
      const latest = performance.now() + DRAINING_MS;
      while (isComing() && performance.now() < latest) await sleep(LOOK_MS);
      if (!connection.isClosed()) await Promise.race([subscription.drain(), sleep(DRAINING_MS)]);
      if (!connection.isClosed()) await dropRequest(connection, name);
    },
  };
}

/**
 * Makes the server drop the pull requests of closed subscriptions, which a consumer info request does. Otherwise it
 * could deliver the next returned message to such a request, and no worker would get it until the ack wait ends.
 */
async function dropRequest(connection: NatsConnection, name: string): Promise<void> {
  const asked = connection.request(`$JS.API.CONSUMER.INFO.${name}`, '', { timeout: DRAINING_MS });
  await asked.catch(() => undefined);
}

function requestFor({ messages, bytes }: Room, { info }: NatsConnection, consumer: ConsumerConfig) {
  const largest = (info?.max_payload ?? 0) + OVERHEAD_BYTES;
  if (messages < 1 || bytes < largest) return null;
  const expires = Math.min(nanos(EXPIRES_MS), limit(consumer.max_expires));
  return {
    batch: Math.min(messages, BATCH_MESSAGES, limit(consumer.max_batch)),
    max_bytes: Math.min(bytes, Math.max(REQUEST_BYTES, largest), limit(consumer.max_bytes)),
    expires,
    // A server rejects a request that expires before its second heartbeat.
    idle_heartbeat: Math.min(nanos(HEARTBEAT_MS), Math.floor(expires / 2)),
  };
}

/** JetStream reports a missing limit as 0. */
function limit(most = 0): number {
  return most === 0 ? Number.POSITIVE_INFINITY : most;
}
