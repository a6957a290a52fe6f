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
  type DropOld,
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
  const {
    retention,
    jobRetentionDays,
    activityRetentionDays,
    revisionRetention,
    deliveryRetentionDays,
    logger,
  } = dependencies;
  const dropAll = async (chunks: AsyncIterable<number>, what: string, kept: object): Promise<void> => {
    let dropped = 0;
    for await (const chunk of chunks) {
      dropped += chunk;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
    }
    if (dropped > 0) logger.info({ [what]: dropped, ...kept }, 'rows past their retention were deleted');
  };
  const drop = async (days: number | null, what: string, dropOld: DropOld): Promise<void> => {
    if (days !== null) await dropAll(dropOld(days * DAY_MS), what, { days });
  };
  await drop(jobRetentionDays, 'jobs', retention.finishedJobs);
  await drop(CHECKS_KEPT_MS / DAY_MS, 'checks', retention.checks);
  await drop(activityRetentionDays, 'activity', retention.activity);
  await drop(KEPT_MS / DAY_MS, 'keptResponses', retention.keptResponses);
  await dropAll(retention.revisions(revisionRetention), 'revisions', { kept: revisionRetention });
  await drop(RUNTIME_KEPT_MS / DAY_MS, 'runtimes', retention.runtimes);
  await drop(DISPATCHES_KEPT_DAYS, 'dispatches', retention.dispatches);
  await drop(INCIDENTS_KEPT_DAYS, 'incidents', retention.incidents);
  await drop(USAGE_DAYS + 1, 'daysOfUsage', retention.usage);
  await drop(deliveryRetentionDays, 'deliveries', retention.deliveries);
  await dropAll(retention.logCounts(), 'logCounts', {});
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
