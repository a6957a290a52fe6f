import { DomainError } from '../kernel/domain-error.ts';

/** How long an answer is kept. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** What is kept for one API key and family. */
export const KEPT_MOST = { answers: 100_000, bytes: 256 * 1024 * 1024 };

/** What an answer takes beside its own text. */
export const KEPT_OVERHEAD_BYTES = 300;

export function tooManyKept(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'throttled',
    'This key has sent too many requests with an Idempotency-Key within 24 hours.',
    { retryAfterSeconds },
  );
}

export interface KeptAnswerUpkeep {
  /**
   * Deletes the answers that were kept at least so long ago, by the store's clock, oldest first. Goes on portion by
   * portion, each small in rows and bytes, and yields how many it had. Ends where none is left, or where another worker
   * is at it.
   */
  dropOld(ageMs: number): AsyncIterable<number>;
}
