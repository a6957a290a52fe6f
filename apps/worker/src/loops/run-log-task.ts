import { isoDay, type LogUpkeep } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { RunTask } from './run-tasks.ts';

interface Dependencies {
  readonly upkeep: Pick<LogUpkeep, 'moveEnded'>;
  readonly hotDays: number;
  readonly logger: Logger;
}

export function runLogTask({ upkeep, hotDays, logger }: Dependencies): RunTask {
  return (_, signal) =>
    upkeep.moveEnded(
      hotDays,
      ({ day, count, outcome }) =>
        logger.info(
          { day: isoDay(new Date(day)), entries: count, outcome },
          outcome === 'moved' ? 'a day of logs was moved to ClickHouse' : 'a day of logs will be moved later',
        ),
      signal,
    );
}
