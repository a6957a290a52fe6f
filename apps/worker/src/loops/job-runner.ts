import { setTimeout as sleep } from 'node:timers/promises';
import {
  PutBack,
  runJob,
  type ClaimedJob,
  type ConfigurationValues,
  type HandlerRuns,
  type JobHandler,
  type JobRunStore,
} from '@plugin-config/domain';
import { permits } from '@plugin-config/flow';
import { logFailure } from '@plugin-config/server';
import { failSpan, inSpan, type Span, type SpanOptions } from '@plugin-config/tracing';
import type { Logger } from 'pino';

export interface JobRunnerDependencies {
  readonly jobs: JobRunStore;
  readonly handlers: readonly JobHandler[];
  readonly handlerRuns: HandlerRuns;
  /** The time limit of a handler. */
  readonly jobTimeoutMs: number;
  readonly configurationValues: ConfigurationValues;
  readonly requireRegistered: boolean;
  /** Called when a job may have written log lines. */
  readonly onLines: () => void;
  readonly logger: Logger;
}

/** Runs jobs concurrently. No project can take all slots, and a handler loses its slot at the time limit. */
export interface JobRunner {
  readonly hasRoom: boolean;
  /** Projects without a free slot. */
  readonly busyProjects: readonly number[];
  begin(job: ClaimedJob): void;
  /** Resolves when the next job ends. Supports one waiter at a time: each call returns a new promise, so no old ones are retained. */
  ended(): Promise<void>;
  /** Gives running jobs a moment to end, then puts the rest back into the queue. */
  stop(): Promise<void>;
}

const SLOTS = 8;
const STOP_AFTER_MS = 3_000;

export function jobRunner(dependencies: JobRunnerDependencies): JobRunner {
  const { jobTimeoutMs } = dependencies;
  const slots = permits(SLOTS);
  const running = new Map<Promise<void>, AbortController>();
  let next = Promise.withResolvers<void>();
  return {
    get hasRoom() {
      return slots.free > 0;
    },
    get busyProjects() {
      return slots.full;
    },
    begin(job) {
      const { projectId } = job.record;
      slots.take(projectId);
      const controller = new AbortController();
      const timeout = new Error(`The handler did not finish within ${jobTimeoutMs / 1000} s.`);
      const timer = setTimeout(() => controller.abort(timeout), jobTimeoutMs);
      const outcome = inSpan([], spanOf(job), (span) => attempt(dependencies, job, controller.signal, span));
      const attempted = outcome.finally(() => {
        clearTimeout(timer);
        running.delete(attempted);
        slots.give(projectId);
        next.resolve();
      });
      running.set(attempted, controller);
    },
    ended() {
      next = Promise.withResolvers();
      return next.promise;
    },
    async stop() {
      const all = Promise.all(running.keys());
      await Promise.race([all, sleep(STOP_AFTER_MS, undefined, { ref: false })]);
      for (const controller of running.values())
        controller.abort(new PutBack('The worker is shutting down.', { atOnce: true }));
      await all;
    },
  };
}

function spanOf({ id, attempts, work, record: { projectId, id: recordId } }: ClaimedJob): SpanOptions {
  const attributes = {
    'plugin_config.job_id': id,
    'plugin_config.job_attempt': attempts,
    'plugin_config.project_id': projectId,
    'plugin_config.record_id': recordId,
  };
  const kind = work instanceof Error ? 'unreadable' : work.kind;
  return { name: `job ${kind}`, kind: 'consumer', attributes };
}

async function attempt(
  dependencies: JobRunnerDependencies,
  job: ClaimedJob,
  signal: AbortSignal,
  span: Span | null,
): Promise<void> {
  const { logger, onLines } = dependencies;
  const about = {
    job_id: job.id,
    record_id: job.record.id,
    attempt: job.attempts,
    request_id: job.requestId,
  };
  onLines();
  try {
    const state = await runJob(dependencies, job, signal);
    onLines();
    if (span !== null && (state === 'queued' || state === 'failed')) failSpan(span, 'attempt_failed');
    logger.info({ ...about, state }, 'a job attempt ended');
  } catch (error) {
    if (span !== null) failSpan(span, 'not_settled');
    logFailure(logger, {
      error,
      message: 'the result of a job could not be stored; the job will be retried',
      about,
    });
  }
}
