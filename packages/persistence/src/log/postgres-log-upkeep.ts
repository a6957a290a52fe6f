import type { LogUpkeep } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { nullIfBusy } from '../postgres/busy.ts';
import { overdueDays, dropDay, logEdges } from './days/log-days.ts';
import { sumUpProjectHours } from './hours/project-hours.ts';
import { dropDayInUse } from './days/drop-day-in-use.ts';

export function postgresLogUpkeep({ pool }: Pick<Database, 'pool'>): LogUpkeep {
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

    sumUpProjects: () => sumUpProjectHours(pool),
  };
}
