import type { streamEndpoints } from '@plugin-config/contract';
import {
  familyFeeds,
  logFeeds,
  type FamilyChanges,
  type LogArrivals,
  type LogEntryStore,
  type WakeUps,
} from '@plugin-config/domain';
import type { Timer } from '@plugin-config/flow';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import type { Handlers } from '../endpoints/handler.ts';
import { familyStreamHandler } from './family-stream-handler.ts';
import { logStreamHandler } from './log-stream-handler.ts';

interface Dependencies {
  readonly changes: FamilyChanges;
  readonly arrivals: LogArrivals;
  readonly logEntries: LogEntryStore;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
}

/** Does not keep the process alive. */
const timer: Timer = (work, afterMs) => {
  const timeout = setTimeout(work, afterMs).unref();
  return () => clearTimeout(timeout);
};

/** The handlers whose answer is a stream. */
export function streamHandlers({
  changes,
  arrivals,
  logEntries: log,
  wakeUps,
  logger,
}: Dependencies): Handlers<typeof streamEndpoints> {
  const now = () => performance.now();
  const warn = (error: unknown) =>
    logFailure(logger, { error, message: 'could not look for news of streams', about: {} });
  return {
    streamRecords: familyStreamHandler({ feeds: familyFeeds({ changes, timer, now, warn }) }),
    streamLogs: logStreamHandler({
      feeds: logFeeds({ arrivals, log, wakeUps, timer, now, warn }),
      arrivals,
      log,
      timer,
    }),
  };
}
