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
  /** Returns how much more may be delivered. */
  room(): Room;
  onMessage(message: Msg): void;
  /** Called with the reason when requests fail, and with null when one succeeds. */
  onProblem(reason: string | null): void;
  /** Called when the consumer ends. */
  onEnd(reason: Error): void;
}

/** Pulls messages of a durable consumer, as many as there is room for. At most one request is open at a time. */
export interface Pull {
  readonly address: string;
  /** Sends a request, unless one is open or there is no room. */
  request(): void;
  /** Sends a new request, even if one is open. */
  renew(): void;
  /** Stops requesting. Resolves once no more messages can arrive. */
  end(): Promise<void>;
}

const EXPIRES_MS = 30_000;
/** After two missed heartbeats, the server is gone or has forgotten the request, and the request is renewed. */
const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 2 * HEARTBEAT_MS + 1_000;
const WATCH_MS = 1_000;
/** The longest wait for a server that does not respond. */
const DRAINING_MS = 1_000;
/** A message in flight arrives within this time. A message that arrives after the end is redelivered only after the ack wait. */
const QUIET_MS = 50;
const POLL_MS = 10;
const REQUEST_BYTES = 8 * 1024 * 1024;
/** Headers and subjects also count. */
const OVERHEAD_BYTES = 64 * 1024;
const HEARTBEAT = 100;
const EXPIRED = 408;
const TOO_LARGE = /maxbytes/i;
const TEMPORARY = /maxbytes|leadership|shutdown|no messages/i;

export function openPull(options: PullOptions): Pull {
  const { connection, stream, consumer, room, onMessage, onProblem, onEnd } = options;
  const name = `${stream}.${consumer.durable_name ?? consumer.name}`;
  const address = `$JS.API.CONSUMER.MSG.NEXT.${name}`;
  const inbox = createInbox();
  /** How many messages of the open request are outstanding. */
  let open = 0;
  let requested = 0;
  let heardAt = 0;
  let ended = false;

  const request = (): void => {
    const body = requestFor(room(), connection, consumer);
    if (open > 0 || ended || body === null) return;
    open = body.batch;
    requested = body.batch;
    heardAt = performance.now();
    connection.publish(address, JSON.stringify(body), { reply: inbox });
  };
  const onSilence = (): void => {
    if (!connection.isClosed()) onProblem(`The stream ${stream} does not respond to requests for messages.`);
  };
  const isInFlight = (): boolean => open > 0 && performance.now() - heardAt < QUIET_MS;
  const renew = (): void => {
    open = 0;
    request();
  };
  const onDelivery = (message: Msg): void => {
    open--;
    onProblem(null);
    onMessage(message);
    request();
  };
  const onStatus = ({ headers }: Msg): void => {
    const { code = 0, description = '' } = headers ?? {};
    const isRejected = TOO_LARGE.test(description) && open === requested;
    if (isRejected) onProblem(`The next message of the stream ${stream} exceeds max_bytes of its consumer.`);
    else if (code === HEARTBEAT || code === EXPIRED || TEMPORARY.test(description)) onProblem(null);
    if (code === HEARTBEAT) return;
    if (code === EXPIRED) renew();
    else if (TEMPORARY.test(description)) open = 0;
    else {
      const reason = `The stream ${stream} delivers no messages: ${description || `status ${code}`}.`;
      onProblem(reason);
      onEnd(new DomainError('unavailable', reason));
    }
  };
  const subscription: Subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      heardAt = performance.now();
      if (error !== null) onEnd(error);
      else if (message.reply) onDelivery(message);
      else onStatus(message);
    },
  });
  const watch = setInterval(() => {
    if (open <= 0) request();
    else if (performance.now() - heardAt > SILENCE_MS) {
      onSilence();
      renew();
    }
  }, WATCH_MS);

  return {
    address,
    request,
    renew,
    end: async () => {
      ended = true;
      clearInterval(watch);
      const latest = performance.now() + DRAINING_MS;
      while (isInFlight() && performance.now() < latest) await sleep(POLL_MS);
      if (!connection.isClosed()) await Promise.race([subscription.drain(), sleep(DRAINING_MS)]);
      if (!connection.isClosed()) await dropRequest(connection, name);
    },
  };
}

/**
 * Makes the server drop the pull requests of closed subscriptions, which is a side effect of a consumer info request. Otherwise
 * it could deliver the next rejected message to such a request, and no worker would get it until the ack wait ends.
 */
async function dropRequest(connection: NatsConnection, name: string): Promise<void> {
  const response = connection.request(`$JS.API.CONSUMER.INFO.${name}`, '', { timeout: DRAINING_MS });
  await response.catch(() => undefined);
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
function limit(value = 0): number {
  return value === 0 ? Number.POSITIVE_INFINITY : value;
}
