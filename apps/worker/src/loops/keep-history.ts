import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, type ActivityUpkeep, type JobUpkeep } from '@plugin-config/domain';
import type { Logger } from 'pino';

export interface HistoryDependencies {
  readonly jobUpkeep: JobUpkeep;
  readonly activityUpkeep: ActivityUpkeep;
  /** Null where it is kept for ever. */
  readonly activityRetentionDays: number | null;
  readonly jobRetentionDays: number;
  readonly logger: Logger;
}

/** At least half of the time belongs to others. */
const REST_MS = 100;

/** Deletes finished jobs and activity that are older than they may be, with a rest after each portion. */
export async function keepHistory(
  { jobUpkeep, activityUpkeep, jobRetentionDays, activityRetentionDays, logger }: HistoryDependencies,
  signal: AbortSignal,
): Promise<void> {
  const drop = async (
    days: number | null,
    what: string,
    portions: JobUpkeep['dropFinished'],
  ): Promise<void> => {
    if (days === null) return;
    let dropped = 0;
    for await (const portion of portions(days * DAY_MS)) {
      dropped += portion;
      await sleep(REST_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
    }
    if (dropped > 0) logger.info({ [what]: dropped, days }, 'what was older than its retention was deleted');
  };
  await drop(jobRetentionDays, 'jobs', (age) => jobUpkeep.dropFinished(age));
  await drop(activityRetentionDays, 'activity', (age) => activityUpkeep.dropOld(age));
}
