import cluster from 'node:cluster';
import type { Tracing } from '@plugin-config/tracing';
import { pino, type Logger } from 'pino';
import { structuredLogger, type LogLevel } from './logger.ts';

export interface Log {
  readonly logger: Logger;
  /** Writes out what is still in memory. */
  flush(): void;
}

interface Options {
  readonly service: string;
  readonly level: LogLevel;
  /** 1 is standard output, 2 standard error. */
  readonly descriptor?: 1 | 2;
  /** Null if tracing is off. */
  readonly tracing: Tracing | null;
}

/**
 * Writes lines in batches: one write for each line would cost more than the line. Several processes write to one pipe,
 * and the kernel never mixes writes of up to 4 KiB.
 */
const GATHERED = { sync: false, minLength: 2048, maxWrite: 4096, periodicFlush: 200 };

/** Opens the log of the process. An uncaught error is logged and ends the process. */
export function openLog({ service, level, descriptor = 1, tracing }: Options): Log {
  const lines = pino.destination({ ...GATHERED, dest: descriptor });
  lines.on('error', () => undefined);
  const whole = structuredLogger(service, level, lines);
  const logger = cluster.isPrimary ? whole : whole.child({ pid: process.pid });
  exitOnBug(logger, lines);
  tracing?.onProblem((reason) => {
    if (reason === null) logger.info('spans are sent again');
    else logger.warn({ reason }, 'spans cannot be sent, and are dropped');
  });
  return { logger, flush: () => lines.flushSync() };
}

/** Logs an uncaught error and ends the process: its state is unknown, and its supervisor starts it again. */
function exitOnBug(logger: Logger, lines: { flushSync(): void }): void {
  const exit = (err: unknown): void => {
    logger.fatal({ err }, 'uncaught error');
    lines.flushSync();
    process.exit(1);
  };
  process.on('uncaughtException', exit).on('unhandledRejection', exit);
}
