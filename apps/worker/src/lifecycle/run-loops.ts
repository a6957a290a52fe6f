import { setTimeout as sleep } from 'node:timers/promises';
import { endOverdueJobs, isoDay, SERVICE_ACTOR, trimDeadLetters } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { Services } from '../container.ts';
import type { AlertMeter } from '../observability/alert-meter.ts';
import { ingestFrom, type IngestMeter } from '../loops/ingest-from.ts';
import { restartOnFailure, type Loop } from '../loops/restart-on-failure.ts';
import { dropOldSequence, dropOldHistory } from '../loops/drop-old-rows.ts';
import { runAlertTask } from '../loops/run-alert-task.ts';
import { runErasureTask } from '../loops/run-erasure-task.ts';
import { runJobTask } from '../loops/run-job-task.ts';
import { runLogTask } from '../loops/run-log-task.ts';
import { runUpgradeTask } from '../loops/run-upgrade-task.ts';
import { runTasks, type TaskRunnerDependencies } from '../loops/run-tasks.ts';
import { runDispatchTask, type WebhookMeter } from '../webhooks/run-dispatch-task.ts';

interface Dependencies extends Services {
  readonly logger: Logger;
  readonly meter: IngestMeter;
  readonly webhookMeter: WebhookMeter;
  readonly alertMeter: AlertMeter;
  readonly refreshMetrics: () => Promise<void>;
}

interface Signals {
  /** Aborted when no new work may begin. */
  readonly stopping: AbortSignal;
  /** Aborted when the server is closed and no more pushes can arrive. */
  readonly closed: AbortSignal;
}

const SEQUENCE_MS = 20_000;
const METRICS_MS = 3_000;
const UPKEEP_MS = 60_000;
const HISTORY_MS = 600_000;
/** Short, because dead letters can exceed their limit between two runs. */
const LIMITS_MS = 10_000;

/** Runs all background loops of the worker. Resolves once all of them have ended. */
export async function runLoops(dependencies: Dependencies, { stopping, closed }: Signals): Promise<void> {
  const { push, sources, refreshMetrics, logger } = dependencies;
  const loop = (name: string, signal: AbortSignal, run: Loop['run']): Promise<void> =>
    restartOnFailure({ name, logger, run }, signal);
  await Promise.all([
    loop('push', closed, (signal) => ingestFrom(push, dependencies, signal)),
    ...sources.map((source) =>
      loop(source.channel, stopping, (signal) => ingestFrom(source, dependencies, signal)),
    ),
    runTasks({ ...dependencies, runners: runnersOf(dependencies) }, stopping),
    loop('history', stopping, (signal) =>
      every(HISTORY_MS, () => dropOldHistory(dependencies, signal), signal),
    ),
    loop('upkeep', stopping, (signal) => every(UPKEEP_MS, () => dropOldLogs(dependencies), signal)),
    loop('sequence', stopping, (signal) =>
      every(SEQUENCE_MS, () => dropOldSequence(dependencies, signal), signal),
    ),
    loop('limits', stopping, (signal) => every(LIMITS_MS, () => keepLimits(dependencies), signal)),
    loop('metrics', stopping, (signal) => every(METRICS_MS, refreshMetrics, signal)),
  ]);
}

function runnersOf(dependencies: Dependencies): TaskRunnerDependencies['runners'] {
  return {
    job: runJobTask(dependencies),
    job_ends: async () => endAllOverdueJobs(dependencies),
    dispatch: runDispatchTask(dependencies),
    erasure: runErasureTask(dependencies),
    alerts: runAlertTask(dependencies),
    rates: async () => void (await dependencies.rates.refresh(dependencies.clock.now())),
    logs: runLogTask(dependencies),
    upgrade: runUpgradeTask(dependencies),
    deadlines: () =>
      dependencies.upgrades.startOverdue({
        actor: SERVICE_ACTOR,
        requestId: null,
        at: dependencies.clock.now(),
      }),
  };
}

async function endAllOverdueJobs({ unclaimedJobMs, ...ports }: Dependencies): Promise<void> {
  while ((await endOverdueJobs(ports, unclaimedJobMs)) > 0);
}

/** Repeats work, with pauses, until the signal is aborted. */
async function every(ms: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  }
}

async function dropOldLogs({ upkeep, retentionDays, logger }: Dependencies): Promise<void> {
  const dropped = await upkeep.dropOverdue(retentionDays);
  if (dropped.length > 0) logger.info({ days: dropped.map(isoDay) }, 'days of logs were dropped');
  const overdue = await upkeep.overdue(retentionDays);
  if (overdue.length > 0) {
    logger.warn({ days: overdue.map(isoDay) }, 'days of logs could not be dropped: they are in use');
  }
  // This comes last, because it may fail: that must not keep the days in PostgreSQL.
  await upkeep.dropMoved();
}

/** Drops surplus dead letters, sums up the counts of projects, and queues the events of exceeded quotas. */
async function keepLimits(dependencies: Dependencies): Promise<void> {
  const { tooMany } = await trimDeadLetters(dependencies);
  if (tooMany > 0) dependencies.logger.warn({ tooMany }, 'too many dead letters: the oldest were dropped');
  await dependencies.upkeep.sumUpProjects();
  await dependencies.webhookEvents.queueQuotaEvents();
}
