import { fairSlots } from '../sharing/fair-slots.ts';
import type { Interruption, JobEffect, JobHandler, JobRun } from './job-handler.ts';
import { PutBack } from './put-back.ts';

/** The runs of handlers in one worker. */
export interface HandlerRuns {
  /** Runs that were interrupted and have not ended: their handlers ignore the signal. */
  readonly abandoned: number;
  /** What an operator should know; null where all is well. */
  problem(): string | null;
  /**
   * Runs the handler, and rejects with the signal's reason as soon as it is aborted, whatever the handler does.
   * @throws PutBack where too many runs were abandoned
   */
  run(handler: JobHandler, run: JobRun, signal: Interruption): Promise<JobEffect>;
}

/** Each run holds memory until its handler has ended, abandoned or not. */
const RUNS_MOST = 24;
const ABANDONED_MOST = 16;

export function handlerRuns(): HandlerRuns {
  const slots = fairSlots<number>(RUNS_MOST);
  let abandoned = 0;
  return {
    get abandoned() {
      return abandoned;
    },
    problem: () =>
      abandoned < ABANDONED_MOST
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
