import type { LogAmount } from './log-quota.ts';
import type { Clock } from '../kernel/clock.ts';
import { DAY_MS, startOfDay } from '../log/log-days.ts';

/** How much a project logged in a batch or a day. */
export interface LogUsage extends LogAmount {
  /** The entries over quota. Entries of a rejected push count each time it is sent. */
  readonly overQuota: number;
}

/** Today's usage by the store's clock, while a batch is stored. */
export interface LogUsageWriter {
  /** Locks the usage of these projects until the batch ends. Resolves to their usage so far. */
  lock(projectIds: readonly number[]): Promise<ReadonlyMap<number, LogAmount>>;
  add(used: ReadonlyMap<number, LogUsage>): Promise<void>;
}

export interface DayOfUsage extends LogUsage {
  readonly day: Date;
}

export interface LogUsageStore {
  /** Returns the usage of a project since the start of a day, newest first. Days without usage are absent. */
  since(projectId: number, day: Date): Promise<readonly DayOfUsage[]>;
}

/** The number of days before today whose usage is kept. */
export const USAGE_DAYS = 30;

interface Dependencies {
  readonly usage: LogUsageStore;
  readonly clock: Clock;
}

/** Returns the usage of a project today and on the days before, newest first. */
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
