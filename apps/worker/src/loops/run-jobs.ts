import { setTimeout as sleep } from 'node:timers/promises';
import { restartOnFailure } from './restart-on-failure.ts';
import { jobRunner, type JobRunner, type JobRunnerDependencies } from './job-runner.ts';

const PAUSE_MS = 250;
/** The time that an attempt needs in addition to its handler, to read the configuration and store the result. */
const MARGIN_MS = 30_000;

/** Polls for due jobs and runs them. Ends soon after the signal is aborted, even if handlers keep running. */
export async function runJobs(dependencies: JobRunnerDependencies, signal: AbortSignal): Promise<void> {
  const { logger } = dependencies;
  const runner = jobRunner(dependencies);
  const run = (stopping: AbortSignal): Promise<void> => takeJobs(dependencies, runner, stopping);
  await restartOnFailure({ name: 'jobs', logger, run }, signal);
  await runner.stop();
}

async function takeJobs(
  { jobs, jobTimeoutMs }: JobRunnerDependencies,
  runner: JobRunner,
  signal: AbortSignal,
): Promise<void> {
  const leaseMs = jobTimeoutMs + MARGIN_MS;
  while (!signal.aborted) {
    const job = runner.hasRoom ? await jobs.claim({ leaseMs, except: runner.busyProjects }) : null;
    if (job !== null) runner.begin(job);
    else await Promise.race([sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined), runner.ended()]);
  }
}
