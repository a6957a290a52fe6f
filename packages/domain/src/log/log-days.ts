/** Logs are kept and dropped by days, in UTC. */
export const DAY_MS = 86_400_000;

/** The most days that can be kept: what was tried under load. */
export const RETENTION_DAYS_MAX = 400;

/** How far ahead of now an entry may be. */
const AHEAD_MS = DAY_MS;

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** What moments an entry may be of: from the start of the oldest day that is kept, to the last one. */
export interface LogSpan {
  readonly earliest: number;
  readonly latest: number;
}

export function logSpan(now: Date, retentionDays: number): LogSpan {
  return {
    earliest: startOfDay(now.getTime()) - retentionDays * DAY_MS,
    latest: now.getTime() + AHEAD_MS,
  };
}
