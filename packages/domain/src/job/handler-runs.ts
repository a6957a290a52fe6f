import { abandonableTasks, type AbandonableTasks, type Interruption } from '@plugin-config/flow';
import type { JobEffect, JobHandler, JobRun } from './job-handler.ts';
import { PutBack } from './job.ts';

/** Runs job handlers, and counts those that ignore their signal. */
export interface HandlerRuns extends Pick<AbandonableTasks, 'abandoned'> {
  /** Returns a warning for the operator, or null. */
  problem(): string | null;
  /**
   * Runs the handler. Rejects with the reason of the signal as soon as it is aborted, even if the handler keeps
   * running.
   * @throws PutBack if too many runs are abandoned
   */
  run(handler: JobHandler, run: JobRun, signal: Interruption): Promise<JobEffect>;
}

const RUNS_MAX = 24;
const ABANDONED_MAX = 16;

export function handlerRuns(): HandlerRuns {
  const rejection = () => new PutBack('Too many job handlers ignore their time limit.');
  const runs = abandonableTasks({ max: RUNS_MAX, rejection });
  return {
    get abandoned() {
      return runs.abandoned;
    },
    problem: () =>
      runs.abandoned < ABANDONED_MAX
        ? null
        : `${runs.abandoned} job handlers ignore their time limit and still run. Restart the worker.`,
    run: (handler, run, signal) => runs.run(run.record.projectId, () => handler.run(run, signal), signal),
  };
}
