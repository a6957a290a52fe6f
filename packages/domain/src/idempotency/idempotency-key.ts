import { DomainError } from '../kernel/domain-error.ts';

/** The header in which a caller names a request that it may repeat. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** Names a request that takes effect once, however often it is sent. */
export interface IdempotencyKey {
  /** A digest of the API key, the project, the path and the caller's own name for the request. */
  readonly name: string;
  /** A digest of the body's bytes. */
  readonly digest: string;
  /** What the addresses in the answer begin with. */
  readonly origin: string;
}

/** The outcome of a request, the digest and the origin of the first one that was sent under its key. */
export interface Once<T> extends Pick<IdempotencyKey, 'digest' | 'origin'> {
  readonly value: T;
  /** False if an earlier request had this outcome, and this one changed nothing. */
  readonly isFirst: boolean;
}

const PRINTABLE_ASCII = /^[ -~]{1,255}$/;

export function checkIdempotencyKey(text: string): void {
  if (PRINTABLE_ASCII.test(text)) return;
  throw new DomainError('invalid_input', 'One value of 1 to 255 printable ASCII characters is required.', {
    attr: IDEMPOTENCY_HEADER,
  });
}

/** The outcome, unless the first request had another body. */
export function sameRequest<T>({ digest }: IdempotencyKey, outcome: Once<T>): Once<T> {
  if (outcome.digest === digest) return outcome;
  throw new DomainError(
    'idempotency_mismatch',
    'This key was sent before with another body. Send the same body, or another key.',
    { attr: IDEMPOTENCY_HEADER },
  );
}
