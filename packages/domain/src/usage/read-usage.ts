import type { Clock } from '../kernel/clock.ts';
import { DAY_MS, startOfDay } from '../log/log-days.ts';
import type { DayOfUsage, LogUsageStore } from './log-usage.ts';

/** The days before today that are kept. */
export const USAGE_DAYS = 30;

interface Dependencies {
  readonly usage: LogUsageStore;
  readonly clock: Clock;
}

/** The usage of a project today and in the days before, newest first. */
export async function readUsage(
  { usage, clock }: Dependencies,
  projectId: number,
): Promise<readonly DayOfUsage[]> {
  const today = startOfDay(clock.now().getTime());
  const days = Array.from({ length: USAGE_DAYS + 1 }, (_, ago) => new Date(today - ago * DAY_MS));
  const used = await usage.since(projectId, new Date(today - USAGE_DAYS * DAY_MS));
  const byDay = new Map(used.map((day) => [day.day.getTime(), day]));
  return days.map((day) => byDay.get(day.getTime()) ?? { day, entries: 0, bytes: 0, overQuota: 0 });
}
