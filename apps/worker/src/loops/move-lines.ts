import { drainOutbox, type LogEntryStore, type LogOutbox } from '@plugin-config/domain';
import type { Logger } from 'pino';
import { restartOnFailure } from './restart-on-failure.ts';

interface Dependencies {
  readonly outbox: LogOutbox;
  readonly log: Pick<LogEntryStore, 'append'>;
  readonly logger: Logger;
}

/** Moves the lines of jobs from the outbox into the logs: when woken, and at intervals for lines that another worker left. */
export interface LineMover {
  wake(): void;
  /** Resolves after `signal` aborts and the outbox is empty. */
  run(signal: AbortSignal): Promise<void>;
}

const INTERVAL_MS = 2_000;

export function lineMover({ outbox, log, logger }: Dependencies): LineMover {
  let woken = Promise.withResolvers<void>();
  const wake = (): void => woken.resolve();
  const moveAll = async (): Promise<void> => {
    while ((await drainOutbox({ outbox, log })) > 0);
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted) {
      woken = Promise.withResolvers();
      await moveAll();
      const timer = setTimeout(wake, INTERVAL_MS);
      await woken.promise;
      clearTimeout(timer);
    }
    await moveAll();
  };
  return { wake, run: (signal) => restartOnFailure({ name: 'lines of jobs', logger, run }, signal) };
}
