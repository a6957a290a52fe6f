import type { LogUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { nullIfBusy, retryWhenBusy } from '../postgres/busy.ts';
import { overdueDays, dropDay, logEdges } from './days/log-days.ts';
import { sumUpProjectHours } from './hours/project-hours.ts';
import { withoutLongReaders } from './days/long-readers.ts';

/** The attempts per day: each may delay others for a moment. */
const ATTEMPTS = { tries: 3, pauseMs: 300 };

/** Drops days. Locks out long readers for a day that they keep in use. */
export function postgresLogUpkeep({ pool }: Pick<Database, 'pool'>): LogUpkeep {
  return {
    dropOverdue: async (retentionDays) => {
      const dropped: Date[] = [];
      for (const day of await overdueDays(pool, retentionDays)) {
        const drop = () => retryWhenBusy(() => dropDay(pool, day, retentionDays), ATTEMPTS);
        const isDropped =
          (await nullIfBusy(drop)) ?? (await nullIfBusy(() => withoutLongReaders(pool, drop)));
        if (isDropped === null) break;
        if (isDropped) dropped.push(day);
      }
      return dropped;
    },

    earliestKept: async () => (await logEdges(pool)).earliest,

    overdue: (retentionDays) => overdueDays(pool, retentionDays),

    sumUpProjects: () => sumUpProjectHours(pool),
  };
}
