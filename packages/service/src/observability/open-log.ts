import { pino, type Logger } from 'pino';
import { exitOnBug } from '../lifecycle/exit-on-bug.ts';
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
}

/** The log of the process, where a bug that nobody caught ends up too, and the process with it. */
export function openLog({ service, level, descriptor = 1 }: Options): Log {
  const lines = pino.destination({ dest: descriptor, sync: false });
  lines.on('error', () => undefined);
  const logger = structuredLogger(service, level, lines);
  exitOnBug(logger, lines);
  return { logger, flush: () => lines.flushSync() };
}
