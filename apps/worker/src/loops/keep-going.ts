import { logFailure } from '@plugin-config/service';
import type { Logger } from 'pino';
import { growingPause } from './growing-pause.ts';

export interface Loop {
  readonly name: string;
  readonly logger: Logger;
  /** Runs until it is told to stop, or until nothing is left to do. */
  run(signal: AbortSignal): Promise<void>;
}

/** Runs a loop and, where it fails, begins it anew after a growing pause: no loop brings the process down. */
export async function keepGoing({ name, logger, run }: Loop, signal: AbortSignal): Promise<void> {
  const pause = growingPause();
  while (!signal.aborted) {
    try {
      await run(signal);
      return;
    } catch (error) {
      if (isAborted(signal)) return;
      logFailure(logger, {
        error,
        message: 'a loop failed, and goes on after a pause',
        about: { loop: name },
      });
      await pause(signal);
    }
  }
}

/** Asked anew: what an `await` has changed, the compiler does not know. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
