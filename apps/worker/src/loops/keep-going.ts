import { logFailure, reasonOf } from '@plugin-config/server';
import type { Logger } from 'pino';
import { growingPause } from './growing-pause.ts';

export interface Loop {
  readonly name: string;
  readonly logger: Logger;
  /** Runs until it is told to stop, or until nothing is left to do. */
  run(signal: AbortSignal): Promise<void>;
}

/** After so long, a failure is told again although it is the same. */
const TOLD_FOR_MS = 600_000;

/**
 * Runs a loop and, where it fails, begins it anew after a growing pause: no loop brings the process down. A failure that
 * comes again and again is told once in a while.
 */
export async function keepGoing({ name, logger, run }: Loop, signal: AbortSignal): Promise<void> {
  const pause = growingPause();
  let told = { reason: '', at: 0 };
  const tell = (error: unknown): void => {
    const [reason, at] = [reasonOf(error), performance.now()];
    if (reason === told.reason && at - told.at < TOLD_FOR_MS) return;
    told = { reason, at };
    logFailure(logger, { error, message: 'a loop failed, and goes on after a pause', about: { loop: name } });
  };
  while (!signal.aborted) {
    try {
      await run(signal);
      return;
    } catch (error) {
      if (isAborted(signal)) return;
      tell(error);
      await pause(signal);
    }
  }
}

/** Asked anew: what an `await` has changed, the compiler does not know. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
