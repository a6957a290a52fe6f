/** Logs are stored and dropped by UTC day. */
export const DAY_MS = 86_400_000;

/** The maximum retention, tested under load. */
export const RETENTION_DAYS_MAX = 400;

/** How far in the future the time of an entry may be. */
const AHEAD_MS = DAY_MS;

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** Returns the UTC day of a date in ISO 8601. */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The accepted times of entries, in milliseconds since 1970, from the start of the oldest retained day. */
export interface AcceptedTimes {
  readonly earliest: number;
  readonly latest: number;
}

export function acceptedTimes(now: Date, retentionDays: number): AcceptedTimes {
  return {
    earliest: startOfDay(now.getTime()) - retentionDays * DAY_MS,
    latest: now.getTime() + AHEAD_MS,
  };
}
