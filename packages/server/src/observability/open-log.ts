import type { Tracing } from '@plugin-config/tracing';
import type { Logger } from 'pino';
import { gatherLines } from './gather-lines.ts';
import { structuredLogger, type LogLevel } from './logger.ts';

interface Options {
  readonly service: string;
  readonly level: LogLevel;
  /** 1 is standard output, 2 standard error. */
  readonly descriptor?: 1 | 2;
  /** Null if tracing is off. */
  readonly tracing: Tracing | null;
}

/** Opens the log of the process. An uncaught error is logged and ends the process. */
export function openLog({ service, level, descriptor = 1, tracing }: Options): Logger {
  const lines = gatherLines(descriptor === 1 ? process.stdout : process.stderr, (lost) =>
    logger.warn({ lines: lost }, 'lines of the log were lost: nobody read them for a while'),
  );
  const logger = structuredLogger(service, level, lines);
  exitOnBug(logger);
  process.on('exit', lines.flushSync);
  tracing?.onProblem((reason) => {
    if (reason === null) logger.info('spans are sent again');
    else logger.warn({ reason }, 'spans cannot be sent, and are dropped');
  });
  return logger;
}

/** Logs an uncaught error and ends the process: its state is unknown, and its supervisor starts it again. */
function exitOnBug(logger: Logger): void {
  const exit = (err: unknown): void => {
    logger.fatal({ err }, 'uncaught error');
    process.exit(1);
  };
  process.on('uncaughtException', exit).on('unhandledRejection', exit);
}
