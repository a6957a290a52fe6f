import type { Tracing } from '@plugin-config/tracing';
import type { Logger } from 'pino';
import { gatherLines } from './gather-lines.ts';
import { structuredLogger, type LogLevel } from './logger.ts';

interface Options {
  readonly service: string;
  readonly level: LogLevel;
  /** Null if tracing is off. */
  readonly tracing: Tracing | null;
}

/** Opens the log of the process. From then on, an uncaught error is logged and ends the process. */
export function openLog({ service, level, tracing }: Options): Logger {
  const lines = gatherLines(process.stdout, (lost) =>
    logger.warn({ lines: lost }, 'log lines were lost because the output was not read'),
  );
  const logger = structuredLogger(service, level, lines);
  exitOnBug(logger);
  process.on('exit', lines.flushSync);
  tracing?.onProblem((reason) => {
    if (reason === null) logger.info('spans are being exported again');
    else logger.warn({ reason }, 'spans cannot be exported and are dropped');
  });
  return logger;
}

/** After an uncaught error, the state of the process is unknown. It exits, and its supervisor restarts it. */
function exitOnBug(logger: Logger): void {
  const exit = (err: unknown): void => {
    logger.fatal({ err }, 'uncaught error');
    process.exit(1);
  };
  process.on('uncaughtException', exit).on('unhandledRejection', exit);
}
