import { DomainError, invalidInput } from '../kernel/domain-error.ts';

const HEADER = 'Idempotency-Key';

const PRINTABLE_ASCII = /^[ -~]{1,255}$/;

export function checkIdempotencyKey(text: string): void {
  if (PRINTABLE_ASCII.test(text)) return;
  throw invalidInput(HEADER, 'One value of 1 to 255 printable ASCII characters is required.');
}

/** @throws DomainError `invalid_input` if the request has a key, where it would have no effect */
export function rejectUnusedKey(headers: Readonly<Record<string, unknown>>): void {
  if (headers[HEADER.toLowerCase()] !== undefined)
    throw invalidInput(HEADER, 'This header has no effect here. Send the request without it.');
}

/** @throws DomainError `idempotency_mismatch` if the first request with this key had another body */
export function requireSameBody(digest: string, first: string): void {
  if (first === digest) return;
  throw new DomainError(
    'idempotency_mismatch',
    'This key was sent before with another body. Send the same body, or another key.',
    { attr: HEADER },
  );
}

/** How long responses are stored. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** The limits on stored responses per API key and family, and on those about a whole project. */
export const KEPT_MAX_PER_KEY = { responses: 100_000, bytes: 256 * 1024 * 1024 };

/** Counted for each response in addition to its text. */
export const KEPT_OVERHEAD_BYTES = 300;

/** For an API key that has reached a limit on stored responses. `oldestAgeMs` is the age of its oldest one. */
export function tooManyKeptResponses(oldestAgeMs: number): DomainError {
  const seconds = Math.ceil((KEPT_MS - oldestAgeMs) / 1000);
  return new DomainError(
    'throttled',
    'This key has sent too many requests with an Idempotency-Key within 24 hours.',
    { retryAfterSeconds: Math.max(1, Math.min(seconds, KEPT_MS / 1000)) },
  );
}
