import { PluginConfigError } from '../http/error.ts';
import { backOffMs, pauseMs, sleep } from '../http/retry.ts';
import type { ClaimedJob } from '../wire.ts';
import { isAccessDenied, SHORT_WAIT_MS } from './connection.ts';
import type { JobsConnection } from './jobs-connection.ts';
import type { JobHandler, JobHandlers, JobRunner, JobsOptions } from './plugin-job.ts';
import { abortion, runJob, type JobAttempt, type JobSurroundings } from './run-job.ts';

interface Dependencies extends Pick<JobSurroundings, 'pauses' | 'onError'> {
  readonly service: JobsConnection;
  /** Aborted when the runtime ends. */
  readonly signal: AbortSignal;
}

/** The service hands out no more at once. */
const LIMIT_MAX = 10;

/** Claims jobs and runs their handlers until it is closed, the runtime ends, or access is denied. */
export function runJobs(
  { service, pauses, signal, onError }: Dependencies,
  handlers: JobHandlers,
  { concurrency = 4, leaseSeconds = 60, closeTimeoutMs = 5_000, plugins = [] }: JobsOptions,
): JobRunner {
  const byType = new Map(
    Object.entries(handlers).filter((entry): entry is [string, JobHandler] => entry[1] !== undefined),
  );
  // No types would stand for all of them.
  if (byType.size === 0) throw new TypeError('jobs needs a handler.');
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const closing = stopping.signal;
  const surroundings = { service, leaseSeconds, pauses, closing, abandoned: abandoning.signal, onError };
  const attempts = new Map<string, JobAttempt>();
  const underWay = new Set<Promise<void>>();

  const stop = (): void => stopping.abort(abortion('The runtime is closing.'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });

  const begin = (job: ClaimedJob): void => {
    const handler = byType.get(job.type);
    if (handler === undefined) return;
    // An attempt whose lease has ended may still be running.
    attempts.get(job.id)?.lose();
    const attempt = runJob(surroundings, job, handler);
    attempts.set(job.id, attempt);
    const ended = attempt.ended.finally(() => {
      underWay.delete(ended);
      if (attempts.get(job.id) === attempt) attempts.delete(job.id);
    });
    underWay.add(ended);
  };

  const claim = async (): Promise<void> => {
    const limit = Math.min(LIMIT_MAX, concurrency - underWay.size);
    const types = [...byType.keys()];
    const startedAt = performance.now();
    const jobs = await service.claim(
      { types, plugins: [...plugins], limit, lease_seconds: leaseSeconds },
      closing,
    );
    jobs.forEach(begin);
    const isShort = jobs.length === 0 && performance.now() - startedAt < SHORT_WAIT_MS;
    if (isShort) await sleep(backOffMs(1, pauses), closing);
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!closing.aborted) {
      if (underWay.size >= concurrency) {
        await Promise.race(underWay);
        continue;
      }
      try {
        await claim();
        failures = 0;
      } catch (error) {
        if (!(error instanceof PluginConfigError)) throw error;
        onError(error);
        // An older release of the service responds with 404.
        if (isAccessDenied(error) && error.status !== 404) return stop();
        await sleep(pauseMs(error, ++failures, pauses), closing);
      }
    }
  };

  const running = run().catch((error: unknown) => {
    if (!closing.aborted) throw error;
  });

  return {
    async close() {
      stop();
      const timer = setTimeout(() => abandoning.abort(), closeTimeoutMs);
      await running;
      await Promise.all(underWay);
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}
