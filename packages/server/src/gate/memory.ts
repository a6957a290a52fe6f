import { DomainError } from '@plugin-config/domain';
import { budget, type Budget, type Reservation } from '@plugin-config/flow';

declare module 'fastify' {
  interface FastifyInstance {
    /** The memory of what callers send and of what they have yet to read, in bytes. Each account has its share. */
    readonly memory: Budget;
  }
}

const MIB = 1024 * 1024;
/** A share has room for the largest body, parsed, beside its response. */
const MEMORY = { amount: 256 * MIB, share: 64 * MIB };

/** What a request counts that waits for its body or its permit, so that those of one account cannot take all connections. */
export const REQUEST_BYTES = 32 * 1024;

export function callerMemory(): Budget {
  return budget(MEMORY);
}

/** @throws DomainError `throttled` or `busy` if the account, or all accounts, take too much memory */
export function takeMemory(reservation: Reservation, bytes: number): void {
  const result = reservation.take(bytes);
  if (result === 'granted') return;
  const retryAfterSeconds = 2;
  if (result === 'budget full') {
    throw new DomainError('busy', 'The service has no memory left for this request.', { retryAfterSeconds });
  }
  const message =
    'This account has too many requests or large bodies on their way, or responses that it has not read: send less at a time.';
  throw new DomainError('throttled', message, { retryAfterSeconds });
}
