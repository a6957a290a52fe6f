import { DomainError } from '../kernel/domain-error.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** The key of a request that takes effect once, even if it is sent several times. */
export interface IdempotencyKey {
  /** A digest of the API key, the project, the path and the caller's key. */
  readonly name: string;
  /** A digest of the raw body, keyed with the caller's key. */
  readonly digest: string;
  /** The base of the URLs in the response. */
  readonly origin: string;
}

/** The result of a request, with the digest and origin of the first request with the same key. */
export interface Once<T> extends Pick<IdempotencyKey, 'digest' | 'origin'> {
  readonly value: T;
  /** False if the result comes from an earlier request with the same key, and this one changed nothing. */
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
export function requireSameBody<T>({ digest }: IdempotencyKey, result: Once<T>): Once<T> {
  if (result.digest === digest) return result;
  throw new DomainError(
    'idempotency_mismatch',
    'This key was sent before with another body. Send the same body, or another key.',
    { attr: IDEMPOTENCY_HEADER },
  );
}
