import { storableText, takenInAt, type DeadReason, type ErrorMessage } from '@plugin-config/domain';
import { readAddress, readTime, type Fields } from './read-fields.ts';
import type { Arrival } from './message-context.ts';

/** Without a time of its own it happened when its source took it in, however long ago that was. */
export function readError(fields: Fields, arrival: Arrival): ErrorMessage | DeadReason {
  const { text, origin, context } = arrival;
  const address = readAddress(fields);
  if (typeof address === 'string') return address;
  const { error } = fields;
  if (error !== null && typeof error !== 'string') return 'invalid_error';
  const given = fields['timestamp'];
  const timestamp = given == null ? takenInAt(origin) : readTime(given, null, arrival);
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
