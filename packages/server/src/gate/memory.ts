import { DomainError } from '@plugin-config/domain';
import type { Reservation } from '@plugin-config/flow';

const MIB = 1024 * 1024;
/** A share has room for the largest body, once parsed, and its response. */
export const MEMORY = { amount: 256 * MIB, share: 64 * MIB };

/** Counted for each request that waits for its body or a permit: one account cannot occupy all connections. */
export const REQUEST_BYTES = 32 * 1024;

/** @throws DomainError `throttled` if the account takes too much memory, `busy` if all accounts together do */
export function takeMemory(reservation: Reservation, bytes: number): void {
  const result = reservation.take(bytes);
  if (result === 'granted') return;
  const retryAfterSeconds = 2;
  if (result !== 'share exceeded') {
    throw new DomainError('busy', 'The service has no memory left for this request. Try again later.', {
      retryAfterSeconds,
    });
  }
  const message =
    'This account has too many requests, large bodies or unread responses in progress. Send less at a time.';
  throw new DomainError('throttled', message, { retryAfterSeconds });
}
