import { DomainError } from '../kernel/domain-error.ts';

/** How long an answer is kept. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** The limits of the kept answers of one API key and family. */
export const KEPT_MAX_PER_KEY = { answers: 100_000, bytes: 256 * 1024 * 1024 };

/** The bytes that an answer counts beside its own text. */
export const KEPT_OVERHEAD_BYTES = 300;

/** Whether an API key that has kept so many answers in a family, and so many bytes, may keep no more. */
export function isKeptFull({ answers, bytes }: typeof KEPT_MAX_PER_KEY): boolean {
  return answers >= KEPT_MAX_PER_KEY.answers || bytes >= KEPT_MAX_PER_KEY.bytes;
}

/** The rejection, until the oldest answer is deleted. */
export function tooManyKept(oldestMs: number): DomainError {
  const seconds = Math.ceil((KEPT_MS - oldestMs) / 1000);
  return new DomainError(
    'throttled',
    'This key has sent too many requests with an Idempotency-Key within 24 hours.',
    { retryAfterSeconds: Math.max(1, Math.min(seconds, KEPT_MS / 1000)) },
  );
}
