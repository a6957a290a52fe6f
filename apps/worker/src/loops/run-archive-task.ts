import {
  archiveDay,
  DomainError,
  isoDay,
  type ArchivableDays,
  type DueDay,
  type LogArchive,
} from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { RunTask } from './run-tasks.ts';

interface Dependencies {
  readonly archivable: ArchivableDays;
  readonly archive: LogArchive;
  readonly hotDays: number;
  readonly logger: Logger;
}

/** Returns a function that archives the days that are due, one by one, unless another worker is erasing or archiving. */
export function runArchiveTask({ archivable, archive, hotDays, logger }: Dependencies): RunTask {
  return async (_, signal) => {
    await archivable.exclusively(async () => {
      for (const due of await archivable.due(hotDays)) {
        if (signal.aborted) return;
        await archiveOne({ archivable, archive, logger }, due);
      }
    });
  };
}

/** Archives a day. If it is in use, leaves it to the next call. */
async function archiveOne(
  { archivable, archive, logger }: Pick<Dependencies, 'archivable' | 'archive' | 'logger'>,
  due: DueDay,
): Promise<void> {
  const day = isoDay(new Date(due.day));
  try {
    const { outcome, count } = await archiveDay({ archivable, archive }, due);
    logger.info({ day, entries: count, outcome }, 'a day of logs was copied to the archive');
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'busy') throw error;
    logger.info({ day }, 'a day of logs is in use and will be archived later');
  }
}
