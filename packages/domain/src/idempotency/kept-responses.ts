import { DomainError } from '../kernel/domain-error.ts';

/** How long responses are stored. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** The limits on stored responses per API key and family. */
export const KEPT_MAX_PER_KEY = { responses: 100_000, bytes: 256 * 1024 * 1024 };

/** Counted for each response in addition to its text. */
export const KEPT_OVERHEAD_BYTES = 300;

/** Whether an API key with this many stored responses and bytes in a family can store no more. */
export function isKeptFull({ responses, bytes }: typeof KEPT_MAX_PER_KEY): boolean {
  return responses >= KEPT_MAX_PER_KEY.responses || bytes >= KEPT_MAX_PER_KEY.bytes;
}

/** For an API key that can store no more responses until its oldest one, which has this age, is deleted. */
export function tooManyKept(oldestAgeMs: number): DomainError {
  const seconds = Math.ceil((KEPT_MS - oldestAgeMs) / 1000);
  return new DomainError(
    'throttled',
    'This key has sent too many requests with an Idempotency-Key within 24 hours.',
    { retryAfterSeconds: Math.max(1, Math.min(seconds, KEPT_MS / 1000)) },
  );
}
