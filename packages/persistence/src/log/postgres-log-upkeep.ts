import { archiveDay, DomainError, type DueDay, type LogUpkeep, type MovedDay } from '@plugin-config/domain';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { nullIfBusy } from '../postgres/busy.ts';
import type { Database } from '../postgres/database.ts';
import { exclusively } from '../postgres/exclusively.ts';
import { dropDayInUse } from './days/drop-day-in-use.ts';
import { overdueDays, dropDay, logEdges } from './days/log-days.ts';
import { postgresEndedDays } from './days/postgres-ended-days.ts';
import { sumUpProjectHours } from './hours/project-hours.ts';

export function postgresLogUpkeep({ pool, archive }: Pick<Database, 'pool' | 'archive'>): LogUpkeep {
  const ended = postgresEndedDays({ pool });
  return {
    dropOverdue: async (retentionDays) => {
      const dropped: Date[] = [];
      for (const day of await overdueDays(pool, retentionDays)) {
        const isDropped = await nullIfBusy(() => dropDayInUse(pool, () => dropDay(pool, day, retentionDays)));
        if (isDropped === null) break;
        if (isDropped) dropped.push(day);
      }
      return dropped;
    },
    earliestKept: async () => (await logEdges(pool)).earliest,
    overdue: (retentionDays) => overdueDays(pool, retentionDays),
    dropMoved: async () => {
      const { earliest } = await logEdges(pool);
      if (Number.isFinite(earliest)) await archive?.dropBefore(new Date(earliest));
    },
    moveEnded: async (hotDays, report, signal) => {
      if (archive === null) return;
      const move = (due: DueDay): Promise<MovedDay> =>
        archiveDay({ ended, archive }, due).catch((error: unknown) => {
          if (!(error instanceof DomainError) || error.code !== 'busy') throw error;
          return { day: due.day, count: 0, outcome: 'in_use' };
        });
      // If the lock is lost, another process may start. That is harmless: both copy the same entries for the same run.
      await exclusively(pool, ADVISORY_LOCK.erasure, async () => {
        for (const due of await ended.due(hotDays)) {
          if (signal?.aborted === true) return;
          report(await move(due));
        }
      });
    },
    unmoved: async (hotDays) => (archive === null ? 0 : (await ended.due(hotDays)).length),
    sumUpProjects: () => sumUpProjectHours(pool),
  };
}
