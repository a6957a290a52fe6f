import { DomainError } from '../kernel/domain-error.ts';

/** The time that a request may still take. One patience covers all its steps, also waits in queues. */
export interface Patience {
  /** Milliseconds; 0 or less when the time is up. */
  left(): number;
}

/** @param now a monotonic clock, in milliseconds */
export function patience(milliseconds: number, now: () => number): Patience {
  const end = now() + milliseconds;
  return { left: () => end - now() };
}

/** The error of a caller whose patience ran out before its work began. */
export function ranOutOfPatience(): DomainError {
  return new DomainError('busy', 'The service is too busy to do this in time.', { retryAfterSeconds: 2 });
}
