import { permits } from './permits.ts';
import type { StopSignal } from './stop-signal.ts';

/** A request to end, with a reason; compatible with `AbortSignal`. */
export interface Interruption extends StopSignal {
  readonly reason: unknown;
}

/** Runs work that may ignore its signal, and counts the abandoned runs. */
export interface AbandonableTasks {
  /** The number of runs that were interrupted and are still running. */
  readonly abandoned: number;
  /**
   * Runs the work. Rejects with the reason of the signal as soon as it is aborted, even if the work continues. Throws
   * `rejection()` if the tenant gets no permit.
   */
  run<T>(tenant: number, work: () => Promise<T>, signal: Interruption): Promise<T>;
}

interface Options {
  /** The maximum number of runs: each uses memory until it ends, even if it is abandoned. */
  readonly max: number;
  /** Creates the error for a run that gets no permit. */
  readonly rejection: () => Error;
}

export function abandonableTasks({ max, rejection }: Options): AbandonableTasks {
  const running = permits(max);
  let abandoned = 0;
  return {
    get abandoned() {
      return abandoned;
    },
    run<T>(tenant: number, work: () => Promise<T>, signal: Interruption) {
      if (signal.aborted) throw signal.reason;
      if (!running.take(tenant)) throw rejection();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      let isAbandoned = false;
      const interrupt = (): void => {
        isAbandoned = true;
        abandoned++;
        reject(signal.reason);
      };
      const end = (): void => {
        signal.removeEventListener('abort', interrupt);
        running.give(tenant);
        if (isAbandoned) abandoned--;
      };
      signal.addEventListener('abort', interrupt);
      Promise.try(work).finally(end).then(resolve, reject);
      return promise;
    },
  };
}
