import { setTimeout as sleep } from 'node:timers/promises';
import {
  DAY_MS,
  KEPT_MS,
  type ActivityUpkeep,
  type JobUpkeep,
  type KeptAnswerUpkeep,
} from '@plugin-config/domain';
import type { Logger } from 'pino';

export interface HistoryDependencies {
  readonly jobUpkeep: JobUpkeep;
  readonly activityUpkeep: ActivityUpkeep;
  readonly keptAnswerUpkeep: KeptAnswerUpkeep;
  /** Null if activity is never deleted. */
  readonly activityRetentionDays: number | null;
  readonly jobRetentionDays: number;
  readonly logger: Logger;
}

/** The pause after a portion, so that the deletion leaves the database to others for half of the time. */
const PAUSE_MS = 100;

/** Deletes finished jobs, activity and kept answers past their retention, in portions with pauses. */
export async function keepHistory(dependencies: HistoryDependencies, signal: AbortSignal): Promise<void> {
  const { jobUpkeep, activityUpkeep, keptAnswerUpkeep } = dependencies;
  const { jobRetentionDays, activityRetentionDays, logger } = dependencies;
  const drop = async (
    days: number | null,
    what: string,
    portions: JobUpkeep['dropFinished'],
  ): Promise<void> => {
    if (days === null) return;
    let dropped = 0;
    for await (const portion of portions(days * DAY_MS)) {
      dropped += portion;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
    }
    if (dropped > 0) logger.info({ [what]: dropped, days }, 'rows past their retention were deleted');
  };
  await drop(jobRetentionDays, 'jobs', (age) => jobUpkeep.dropFinished(age));
  await drop(activityRetentionDays, 'activity', (age) => activityUpkeep.dropOld(age));
  await drop(KEPT_MS / DAY_MS, 'keptAnswers', (age) => keptAnswerUpkeep.dropOld(age));
}
