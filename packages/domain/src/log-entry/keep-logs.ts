import type { Clock } from '../clock.ts';
import { keptDays } from './log-days.ts';
import type { LogUpkeep } from './log-upkeep.ts';

interface Dependencies {
  readonly upkeep: LogUpkeep;
  readonly clock: Clock;
  readonly retentionDays: number;
}

/** The chore: room for the days to come, none for those that are over. Resolves to the days that were dropped. */
export async function keepLogs({ upkeep, clock, retentionDays }: Dependencies): Promise<readonly Date[]> {
  const [oldest, ...others] = keptDays(clock.now(), retentionDays);
  if (oldest === undefined) return [];
  await upkeep.prepare([oldest, ...others]);
  return upkeep.dropBefore(oldest);
}
