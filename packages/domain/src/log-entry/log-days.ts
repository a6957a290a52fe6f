/** Logs are kept and dropped by days, in UTC. */
export const DAY_MS = 86_400_000;

/** How far ahead of now an entry may be. */
const AHEAD_MS = DAY_MS;
/** Room is made a day earlier than it can be needed. */
const AHEAD_DAYS = 2;

export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** What moments an entry may be of: from the start of the oldest day that is kept, to the last one. */
export interface LogSpan {
  readonly earliest: number;
  readonly latest: number;
}

export function logSpan(now: Date, retentionDays: number): LogSpan {
  return { earliest: oldestDay(now, retentionDays), latest: now.getTime() + AHEAD_MS };
}

/** The days that must have room, oldest first. */
export function keptDays(now: Date, retentionDays: number): readonly Date[] {
  const oldest = oldestDay(now, retentionDays);
  return Array.from({ length: retentionDays + 1 + AHEAD_DAYS }, (_, day) => new Date(oldest + day * DAY_MS));
}

function oldestDay(now: Date, retentionDays: number): number {
  return startOfDay(now.getTime()) - retentionDays * DAY_MS;
}
