import { AckPolicy, type ConsumerConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

const SHORTEST_EXPIRY = nanos(1000);

/** Says why a consumer's configuration cannot be used, and what to change; null if it can. */
export function consumerProblem(stream: string, config: ConsumerConfig): string | null {
  const name = config.durable_name ?? config.name ?? '';
  const wrong = wrongSetting(config);
  return wrong === null ? null : `The consumer ${name} of the stream ${stream} ${wrong}`;
}

function wrongSetting(config: ConsumerConfig): string | null {
  const { ack_policy, deliver_subject, max_deliver = -1, max_expires = 0, headers_only = false } = config;
  if (ack_policy !== AckPolicy.Explicit || deliver_subject !== undefined) {
    return 'is not a pull consumer with explicit acks: make it anew.';
  }
  if (max_deliver > 0) {
    return 'has max_deliver set, which loses messages while the database is away: set it to -1.';
  }
  if (max_expires > 0 && max_expires < SHORTEST_EXPIRY) {
    return 'has a max_expires of less than a second: leave it out, or set it to 30 seconds.';
  }
  return headers_only ? 'gives headers only: set headers_only to false.' : null;
}
