import { DomainError } from '../kernel/domain-error.ts';

/** The remaining time of a request. One patience covers all its steps, waits in queues included. */
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
