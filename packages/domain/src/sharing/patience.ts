import { DomainError } from '../kernel/domain-error.ts';

/** How long a caller still waits for its answer: one patience for the whole way of a request, queues included. */
export interface Patience {
  /** Milliseconds; 0 or less where it has run out. */
  left(): number;
}

/** @param now a monotonic clock, in milliseconds */
export function patience(milliseconds: number, now: () => number): Patience {
  const end = now() + milliseconds;
  return { left: () => end - now() };
}

/** What is asked of a caller whose patience ran out before its work began. */
export function ranOutOfPatience(): DomainError {
  return new DomainError('busy', 'The service is too busy to do this in time.', { retryAfterSeconds: 2 });
}
