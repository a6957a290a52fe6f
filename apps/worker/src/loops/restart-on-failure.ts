import { logFailure, reasonOf } from '@plugin-config/server';
import type { Logger } from 'pino';
import { backOff } from '@plugin-config/flow/node';

export interface Loop {
  readonly name: string;
  readonly logger: Logger;
  /** Runs until the signal is aborted or no work is left. */
  run(signal: AbortSignal): Promise<void>;
}

/** The same failure is logged again only after this time. */
const REPEAT_MS = 600_000;

/** Runs a loop, and restarts it with back-off when it fails. No failure of a loop ends the process. */
export async function restartOnFailure({ name, logger, run }: Loop, signal: AbortSignal): Promise<void> {
  const wait = backOff();
  let last = { reason: '', at: 0 };
  const logOnce = (error: unknown): void => {
    const [reason, at] = [reasonOf(error), performance.now()];
    if (reason === last.reason && at - last.at < REPEAT_MS) return;
    last = { reason, at };
    logFailure(logger, { error, message: 'a loop failed and will be restarted', about: { loop: name } });
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

/** A function because TypeScript assumes that `aborted` does not change across an `await`. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
