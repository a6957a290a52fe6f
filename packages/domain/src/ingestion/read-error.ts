import type { DeadReason } from './dead-reason.ts';
import type { ErrorMessage } from './message.ts';
import { readAddress, type Fields } from './read-fields.ts';
import type { Arrival } from './reading.ts';
import { storableText } from './storable-text.ts';

export function readError(fields: Fields, { text, origin }: Arrival): ErrorMessage | DeadReason {
  const address = readAddress(fields);
  if (typeof address === 'string') return address;
  const { error } = fields;
  if (error !== null && typeof error !== 'string') return 'invalid_error';
  return { kind: 'error', text, origin, ...address, error: error === null ? null : storableText(error) };
}
