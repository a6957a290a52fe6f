import { DomainError } from '../kernel/domain-error.ts';

/** The header with the key that a caller chose for the request. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** The key of a request that takes effect once, however often it is sent. */
export interface IdempotencyKey {
  /** A digest of the API key, the project, the path and the key that the caller chose. */
  readonly name: string;
  /** A digest of the body's bytes. */
  readonly digest: string;
  /** The beginning of the URLs in the answer. */
  readonly origin: string;
}

/** The outcome of a request, with the digest and the origin of the first request that had its key. */
export interface Once<T> extends Pick<IdempotencyKey, 'digest' | 'origin'> {
  readonly value: T;
  /** False if an earlier request with the same key had this outcome, and this request changed nothing. */
  readonly isFirst: boolean;
}

const PRINTABLE_ASCII = /^[ -~]{1,255}$/;

export function checkIdempotencyKey(text: string): void {
  if (PRINTABLE_ASCII.test(text)) return;
  throw new DomainError('invalid_input', 'One value of 1 to 255 printable ASCII characters is required.', {
    attr: IDEMPOTENCY_HEADER,
  });
}

/** @throws DomainError `idempotency_mismatch` if the first request with this key had another body */
export function requireSameBody<T>({ digest }: IdempotencyKey, outcome: Once<T>): Once<T> {
  if (outcome.digest === digest) return outcome;
  throw new DomainError(
    'idempotency_mismatch',
    'This key was sent before with another body. Send the same body, or another key.',
    { attr: IDEMPOTENCY_HEADER },
  );
}
