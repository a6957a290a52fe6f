import type { DeadReason, DeliveryMessage } from '@plugin-config/domain';
import { isTotal, optionalUuid, readAddress, readTime, type Fields } from './read-fields.ts';
import type { Arrival } from './message-context.ts';

/** All of it is required but the time: without its id a report could not be counted once. */
export function readDelivery(fields: Fields, arrival: Arrival): DeliveryMessage | DeadReason {
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
