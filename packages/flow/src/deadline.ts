/** The time that a request may still take. One deadline covers all its steps, also waits in queues. */
export interface Deadline {
  /** Milliseconds; 0 or less when the time is up. */
  remainingMs(): number;
}

/** @param now a monotonic clock, in milliseconds */
export function deadline(milliseconds: number, now: () => number): Deadline {
  const end = now() + milliseconds;
  return { remainingMs: () => end - now() };
}
