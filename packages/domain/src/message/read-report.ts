import type { FailedDelivery } from '../delivery/failed-delivery.ts';
import { isObject } from '../kernel/json.ts';
import { isStorable, utf8Length } from '../kernel/text.ts';
import { FAILED_DELIVERIES_MAX } from '../vocabulary/vocabulary.ts';
import type { DeadReason } from './dead-reason.ts';
import { sourceTime, type DeliveryMessage, type ErrorMessage, type SourceMessage } from './message.ts';
import { isTotal, optionalUuid, readAddress, readTime, type Fields } from './read-fields.ts';
import type { MessageContext } from './message-context.ts';
import { storableText } from '../log/storable-text.ts';

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
  const failed = readFailed(fields['failed']);
  if (failed === null) return 'invalid_failed';
  const totals = { successes, successesOnRetry, failures };
  return { kind: 'delivery', text, origin, ...address, id, timestamp, ...totals, failed };
}

/** Returns null if it is invalid. A reference that had to be changed could not be replayed. */
function readFailed(value: unknown): readonly FailedDelivery[] | null {
  if (value == null) return [];
  if (!Array.isArray(value) || value.length > FAILED_DELIVERIES_MAX.perReport) return null;
  const items: readonly unknown[] = value;
  const failed = items.flatMap((item) => {
    const { ref, reason } = isObject(item) ? item : {};
    return isShortText(ref) && isShortText(reason) ? { ref, reason } : [];
  });
  return failed.length === items.length ? failed : null;
}

function isShortText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    isStorable(value) &&
    utf8Length(value) <= FAILED_DELIVERIES_MAX.textBytes
  );
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
