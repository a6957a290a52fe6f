import type { streamEndpoints } from '@plugin-config/contract';
import {
  familyFeeds,
  logFeeds,
  type FamilyChanges,
  type FamilyFeeds,
  type LogSequence,
  type LogEntryStore,
  type WakeUps,
} from '@plugin-config/domain';
import type { Timer } from '@plugin-config/flow';
import { turns } from '@plugin-config/flow/node';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import type { Handlers } from '../endpoints/handler.ts';
import { familyStreamHandler } from './family-stream-handler.ts';
import { logStreamHandler } from './log-stream-handler.ts';

interface Dependencies {
  readonly feeds: FamilyFeeds;
  readonly sequence: LogSequence;
  readonly logEntries: LogEntryStore;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
}

/**
 * The number of streams that handle a page in one turn of the event loop. Filtering and serialising the largest page takes
 * several milliseconds per stream.
 */
const STREAMS_PER_TURN = 10;

/** Does not keep the process alive. */
const timer: Timer = (work, afterMs) => {
  const timeout = setTimeout(work, afterMs).unref();
  return () => clearTimeout(timeout);
};

const turn = turns(STREAMS_PER_TURN);

const now = (): number => performance.now();

const warnTo =
  (logger: Logger) =>
  (error: unknown): void =>
    logFailure(logger, { error, message: 'could not check for new events of streams', about: {} });

/** Opens the family feeds, which streams and long polls share. */
export function openFamilyFeeds({
  changes,
  logger,
}: Pick<Dependencies, 'logger'> & { readonly changes: FamilyChanges }): FamilyFeeds {
  return familyFeeds({ changes, turn, timer, now, warn: warnTo(logger) });
}

export function streamHandlers({
  feeds,
  sequence,
  logEntries: log,
  wakeUps,
  logger,
}: Dependencies): Handlers<typeof streamEndpoints> {
  const warn = warnTo(logger);
  return {
    streamRecords: familyStreamHandler({ feeds }),
    streamLogs: logStreamHandler({
      feeds: logFeeds({ sequence, log, wakeUps, turn, timer, now, warn }),
      sequence,
      log,
      timer,
    }),
  };
}
