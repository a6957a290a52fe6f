/** The time left for a request. One deadline covers all its steps, including waits in queues. */
export interface Deadline {
  /** In milliseconds; 0 or less once the time is up. */
  remainingMs(): number;
}

/** @param now a monotonic clock, in milliseconds */
export function deadline(milliseconds: number, now: () => number): Deadline {
  const end = now() + milliseconds;
  return { remainingMs: () => end - now() };
}
