import { setTimeout as sleep } from 'node:timers/promises';
import {
  CHECKS_KEPT_MS,
  SEQUENCE_KEPT_MS,
  DAY_MS,
  DISPATCHES_KEPT_DAYS,
  FOLLOWED_MS,
  INCIDENTS_KEPT_DAYS,
  KEPT_MS,
  RUNTIME_KEPT_MS,
  USAGE_DAYS,
  type OldRows,
  type Retention,
} from '@plugin-config/domain';
import type { Logger } from 'pino';

interface Dependencies {
  readonly retention: Retention;
  /** Null to keep activity forever. */
  readonly activityRetentionDays: number | null;
  readonly jobRetentionDays: number;
  /** How many revisions of a record are kept. */
  readonly revisionRetention: number;
  readonly deliveryRetentionDays: number;
  readonly logger: Logger;
}

/** The pause after each chunk, so deletions use the database at most half of the time. */
const PAUSE_MS = 100;

/** Deletes what is past its retention, in chunks with pauses. */
export async function dropOldHistory(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { retention, logger } = dependencies;
  const drop = async (what: OldRows | 'revisions', kept: number, logged: object): Promise<void> => {
    let dropped = 0;
    for await (const chunk of retention[what](kept)) {
      dropped += chunk;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
    }
    if (dropped > 0) logger.info({ [what]: dropped, ...logged }, 'rows past their retention were deleted');
  };
  const daysKept: readonly (readonly [OldRows, number | null])[] = [
    ['jobs', dependencies.jobRetentionDays],
    ['checks', CHECKS_KEPT_MS / DAY_MS],
    ['activity', dependencies.activityRetentionDays],
    ['keptResponses', KEPT_MS / DAY_MS],
    ['runtimes', RUNTIME_KEPT_MS / DAY_MS],
    ['dispatches', DISPATCHES_KEPT_DAYS],
    ['incidents', INCIDENTS_KEPT_DAYS],
    ['daysOfUsage', USAGE_DAYS + 1],
    ['deliveries', dependencies.deliveryRetentionDays],
  ];
  for (const [what, days] of daysKept) if (days !== null) await drop(what, days * DAY_MS, { days });
  await drop('revisions', dependencies.revisionRetention, { kept: dependencies.revisionRetention });
  await drop('logCounts', 0, {});
  await retention.reportIds();
}

/** Deletes old sequence numbers, and forgets logs without followers, until none are left or the worker stops. */
export async function dropOldSequence(
  { retention }: Pick<Dependencies, 'retention'>,
  signal: AbortSignal,
): Promise<void> {
  const deletions = [retention.sequence(SEQUENCE_KEPT_MS), retention.followedLogs(FOLLOWED_MS)];
  for (const chunks of deletions) for await (const _ of chunks) if (signal.aborted) return;
}
