import { fairSlots } from '../sharing/fair-slots.ts';
import type { Interruption, JobEffect, JobHandler, JobRun } from './job-handler.ts';
import { PutBack } from './put-back.ts';

/** Runs job handlers and counts those that ignore their signal. */
export interface HandlerRuns {
  /** The number of interrupted runs whose handlers ignore the signal and still run. */
  readonly abandoned: number;
  /** A warning for the operator; null if there is none. */
  problem(): string | null;
  /**
   * Runs the handler. Rejects with the reason of the signal as soon as it is aborted, even if the handler continues.
   * @throws PutBack if too many runs are abandoned
   */
  run(handler: JobHandler, run: JobRun, signal: Interruption): Promise<JobEffect>;
}

/** The maximum number of runs: each takes memory until its handler ends, even if it is abandoned. */
const RUNS_MAX = 24;
const ABANDONED_MAX = 16;

export function handlerRuns(): HandlerRuns {
  const slots = fairSlots<number>(RUNS_MAX);
  let abandoned = 0;
  return {
    get abandoned() {
      return abandoned;
    },
    problem: () =>
      abandoned < ABANDONED_MAX
        ? null
        : `${abandoned} job handlers ignore their time limit and still run. Restart the worker.`,
    run(handler, run, signal) {
      if (signal.aborted) throw signal.reason;
      const { projectId } = run.record;
      if (!slots.take(projectId)) throw new PutBack('Too many job handlers ignore their time limit.');
      const { promise, resolve, reject } = Promise.withResolvers<JobEffect>();
      let isAbandoned = false;
      const interrupt = (): void => {
        isAbandoned = true;
        abandoned++;
        reject(signal.reason);
      };
      const end = (): void => {
        signal.removeEventListener('abort', interrupt);
        slots.give(projectId);
        if (isAbandoned) abandoned--;
      };
      signal.addEventListener('abort', interrupt);
      Promise.try(() => handler.run(run, signal))
        .finally(end)
        .then(resolve, reject);
      return promise;
    },
  };
}
