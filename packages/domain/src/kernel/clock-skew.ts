/** What the database's clock said to somebody who noted the time of a host before and after asking. */
export interface ClockReading {
  readonly database: Date;
  readonly before: Date;
  readonly after: Date;
}

/** How far the clock of a host may be from the database's. */
export const SKEW_MAX_MS = 30_000;

/** How far a host is ahead of the database, in milliseconds; what the way there and back may explain is no skew. */
export function clockSkew({ database, before, after }: ClockReading): number {
  return (
    Math.max(0, before.getTime() - database.getTime()) + Math.min(0, after.getTime() - database.getTime())
  );
}

/** What is wrong with the clock of a host; null where nothing is. */
export function skewProblem(reading: ClockReading): string | null {
  if (Math.abs(clockSkew(reading)) <= SKEW_MAX_MS) return null;
  const [host, database] = [reading.after.toISOString(), reading.database.toISOString()];
  return `The clock of this host says ${host}, the database's ${database}: set them right, at most ${SKEW_MAX_MS / 1000} seconds apart.`;
}
