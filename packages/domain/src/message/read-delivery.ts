import type { DeadReason } from './dead-reason.ts';
import type { DeliveryMessage } from './message.ts';
import { isTotal, optionalUuid, readAddress, readTime, type Fields } from './read-fields.ts';
import type { ArrivedMessage } from './message-context.ts';

/** Requires every field but the time: without an id, a repeated report would be counted twice. */
export function readDelivery(fields: Fields, arrival: ArrivedMessage): DeliveryMessage | DeadReason {
  const address = readAddress(fields);
  if (typeof address === 'string') return address;
  const id = optionalUuid(fields['id']);
  if (id == null) return 'invalid_id';
  const timestamp = readTime(fields['timestamp'], id, arrival);
  if (typeof timestamp === 'string') return timestamp;
  const { successes, successes_on_retry: successesOnRetry, failures } = fields;
  if (!isTotal(successes) || !isTotal(successesOnRetry) || !isTotal(failures)) return 'invalid_totals';
  const { text, origin } = arrival;
  return { kind: 'delivery', text, origin, ...address, id, timestamp, successes, successesOnRetry, failures };
}
