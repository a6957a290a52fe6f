import { setTimeout as sleep } from 'node:timers/promises';
import {
  runJob,
  type Clock,
  type Job,
  type JobHandler,
  type JobRunStore,
  type SecretBox,
} from '@plugin-config/domain';
import type { Logger } from 'pino';
import { inFlight } from './in-flight.ts';

export interface JobDependencies {
  readonly jobs: JobRunStore;
  readonly handlers: readonly JobHandler[];
  readonly secretBox: SecretBox;
  readonly requireRegistered: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

const JOBS_IN_FLIGHT = 4;
const PAUSE_MS = 500;
/** Whoever is not done by then is taken as lost, and the job is tried again. */
const LEASE_MS = 60_000;

/** Takes the jobs that are due, one after the other, and rests when there is none. Finishes what runs at the end. */
export async function runJobs(dependencies: JobDependencies, signal: AbortSignal): Promise<void> {
  const running = inFlight(JOBS_IN_FLIGHT);
  try {
    while (!signal.aborted) {
      const job = await dependencies.jobs.claim({ at: dependencies.clock.now(), leaseMs: LEASE_MS });
      if (job === null) await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      else await running.begin(attempt(dependencies, job));
    }
  } finally {
    await running.idle();
  }
}

async function attempt(dependencies: JobDependencies, job: Job): Promise<void> {
  const { logger } = dependencies;
  const about = {
    job_id: job.id,
    record_id: job.record.id,
    attempt: job.attempts,
    request_id: job.requestId,
  };
  try {
    await runJob(dependencies, job);
    logger.info(about, 'a job was tried');
  } catch (err) {
    logger.error({ err, ...about }, 'a job could not be settled, and is tried again');
  }
}
