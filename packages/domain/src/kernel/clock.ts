export interface Clock {
  /** @throws DomainError `unavailable` if the time is not known yet */
  now(): Date;
}

/** The database time, and the host times before and after reading it. */
export interface ClockReading {
  readonly database: Date;
  readonly before: Date;
  readonly after: Date;
}

/** The largest accepted difference between the clocks of a host and the database. */
export const SKEW_MAX_MS = 30_000;

/**
 * Returns how far the host is ahead of the database, in milliseconds. A difference within the query duration
 * counts as 0.
 */
export function clockSkew({ database, before, after }: ClockReading): number {
  return (
    Math.max(0, before.getTime() - database.getTime()) + Math.min(0, after.getTime() - database.getTime())
  );
}

/** Returns an error message if the clocks differ too much, otherwise null. */
export function skewProblem(reading: ClockReading): string | null {
  if (Math.abs(clockSkew(reading)) <= SKEW_MAX_MS) return null;
  const [host, database] = [reading.after.toISOString(), reading.database.toISOString()];
  return `This host's clock says ${host}, the database's says ${database}: synchronise them to within ${SKEW_MAX_MS / 1000} seconds.`;
}
