import { storableText } from '../log/storable-text.ts';
import type { DeadReason } from './dead-reason.ts';
import { sourceTime } from './error-order.ts';
import type { ErrorMessage } from './message.ts';
import { readAddress, readTime, type Fields } from './read-fields.ts';
import type { ArrivedMessage } from './message-context.ts';

/** An error without a time happened when its source received it, however long ago. */
export function readError(fields: Fields, arrival: ArrivedMessage): ErrorMessage | DeadReason {
  const { text, origin, context } = arrival;
  const address = readAddress(fields);
  if (typeof address === 'string') return address;
  const { error } = fields;
  if (error !== null && typeof error !== 'string') return 'invalid_error';
  const time = fields['timestamp'];
  const timestamp = time == null ? sourceTime(origin) : readTime(time, null, arrival);
  if (typeof timestamp === 'string') return timestamp;
  return {
    kind: 'error',
    text,
    origin,
    ...address,
    timestamp,
    position: context.position(),
    error: error === null ? null : storableText(error),
  };
}
