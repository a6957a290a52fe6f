import type { DeadReason } from './dead-reason.ts';
import type { DeliveryMessage, ErrorMessage, SourceMessage } from './message.ts';
import { isTotal, optionalUuid, readAddress, readTime, type Fields } from './read-fields.ts';
import type { MessageContext } from './message-context.ts';
import { storableText } from '../log/storable-text.ts';
import { sourceTime } from './error-order.ts';

/** Requires every field except the time: without an id, a repeated report would be counted twice. */
export function readDelivery(
  fields: Fields,
  { text, origin }: SourceMessage,
  context: MessageContext,
): DeliveryMessage | DeadReason {
  const address = readAddress(fields);
  if (typeof address === 'string') return address;
  const id = optionalUuid(fields['id']);
  if (id == null) return 'invalid_id';
  const timestamp = readTime(fields['timestamp'], id, origin, context);
  if (typeof timestamp === 'string') return timestamp;
  const { successes, successes_on_retry: successesOnRetry, failures } = fields;
  if (!isTotal(successes) || !isTotal(successesOnRetry) || !isTotal(failures)) return 'invalid_totals';
  return { kind: 'delivery', text, origin, ...address, id, timestamp, successes, successesOnRetry, failures };
}

/** An error without a time gets the time at which its source received it, even if that is too old. */
export function readError(
  fields: Fields,
  { text, origin, position }: SourceMessage,
  context: MessageContext,
): ErrorMessage | DeadReason {
  const address = readAddress(fields);
  if (typeof address === 'string') return address;
  const { error } = fields;
  if (error !== null && typeof error !== 'string') return 'invalid_error';
  const time = fields['timestamp'];
  const timestamp = time == null ? sourceTime(origin) : readTime(time, null, origin, context);
  if (typeof timestamp === 'string') return timestamp;
  return {
    kind: 'error',
    text,
    origin,
    ...address,
    timestamp,
    position,
    error: error === null ? null : storableText(error),
  };
}
