/** The time of the database, with the times of this host before and after the query. */
export interface ClockReading {
  readonly database: Date;
  readonly before: Date;
  readonly after: Date;
}

/** The largest accepted difference between the clocks of a host and the database. */
export const SKEW_MAX_MS = 30_000;

/**
 * How far the host is ahead of the database, in milliseconds. A difference within the duration of the query counts as
 * 0.
 */
export function clockSkew({ database, before, after }: ClockReading): number {
  return (
    Math.max(0, before.getTime() - database.getTime()) + Math.min(0, after.getTime() - database.getTime())
  );
}

/** A message about a wrong clock; null if the clocks agree. */
export function skewProblem(reading: ClockReading): string | null {
  if (Math.abs(clockSkew(reading)) <= SKEW_MAX_MS) return null;
  const [host, database] = [reading.after.toISOString(), reading.database.toISOString()];
  return `The clock of this host says ${host}, the database's ${database}: set them right, at most ${SKEW_MAX_MS / 1000} seconds apart.`;
}
