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
