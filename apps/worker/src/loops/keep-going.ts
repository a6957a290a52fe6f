import type { Logger } from 'pino';
import { growingPause } from './growing-pause.ts';

interface Loop {
  readonly name: string;
  readonly logger: Logger;
  /** Runs until the signal is aborted or nothing is left to do; says when something went well. */
  run(signal: AbortSignal, wentWell: () => void): Promise<void>;
}

/** Runs a loop and, where it fails, begins it anew after a growing pause: no loop brings the process down. */
export async function keepGoing({ name, logger, run }: Loop, signal: AbortSignal): Promise<void> {
  const pause = growingPause();
  while (!signal.aborted) {
    try {
      await run(signal, pause.reset);
      return;
    } catch (err) {
      if (isAborted(signal)) return;
      logger.error({ err, loop: name }, 'a loop failed, and goes on after a pause');
      await pause.take(signal);
    }
  }
}

/** Asked anew: what an `await` has changed, the compiler does not know. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
