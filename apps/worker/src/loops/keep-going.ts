import { logFailure, reasonOf } from '@plugin-config/server';
import type { Logger } from 'pino';
import { backOff } from '@plugin-config/flow/node';

export interface Loop {
  readonly name: string;
  readonly logger: Logger;
  /** Runs until the signal is aborted or nothing is left to do. */
  run(signal: AbortSignal): Promise<void>;
}

/** A repeated failure is logged again after this time. */
const REPEAT_MS = 600_000;

/**
 * Runs a loop and starts it again with back-off when it fails, so that no loop ends the process. A repeated failure is
 * logged only now and then.
 */
export async function keepGoing({ name, logger, run }: Loop, signal: AbortSignal): Promise<void> {
  const wait = backOff();
  let last = { reason: '', at: 0 };
  const logOnce = (error: unknown): void => {
    const [reason, at] = [reasonOf(error), performance.now()];
    if (reason === last.reason && at - last.at < REPEAT_MS) return;
    last = { reason, at };
    logFailure(logger, { error, message: 'a loop failed, and is started again', about: { loop: name } });
  };
  while (!signal.aborted) {
    try {
      await run(signal);
      return;
    } catch (error) {
      if (isAborted(signal)) return;
      logOnce(error);
      await wait(signal);
    }
  }
}

/** A function, because TypeScript assumes that `aborted` cannot change across an `await`. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
