import { DomainError } from '../kernel/domain-error.ts';

/** How long an answer is kept. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** The limits of the kept answers of one API key and family. */
export const KEPT_MAX_PER_KEY = { answers: 100_000, bytes: 256 * 1024 * 1024 };

/** The bytes that an answer counts beside its own text. */
export const KEPT_OVERHEAD_BYTES = 300;

export function tooManyKept(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'throttled',
    'This key has sent too many requests with an Idempotency-Key within 24 hours.',
    { retryAfterSeconds },
  );
}
