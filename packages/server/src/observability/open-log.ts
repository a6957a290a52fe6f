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

/** A write for each line would cost more than the line: they go out together, a moment later. */
const GATHERED = { sync: false, minLength: 4096, periodicFlush: 200 };

/** The log of the process, where a bug that nobody caught ends up too, and the process with it. */
export function openLog({ service, level, descriptor = 1 }: Options): Log {
  const lines = pino.destination({ ...GATHERED, dest: descriptor });
  lines.on('error', () => undefined);
  const logger = structuredLogger(service, level, lines);
  exitOnBug(logger, lines);
  return { logger, flush: () => lines.flushSync() };
}
