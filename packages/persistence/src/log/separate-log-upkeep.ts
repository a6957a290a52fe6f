import { DAY_MS, type LogUpkeep, type SeparateLog } from '@plugin-config/domain';
import { dropAnnouncements } from '../following/announced-entries.ts';
import type { Database } from '../postgres/database.ts';
import { postgresLogUpkeep } from './postgres-log-upkeep.ts';

/** The time of an entry may be ahead of its announcement, but never as far as this. */
const AHEAD_MS = 2 * DAY_MS;

interface Dependencies extends Pick<Database, 'pool'> {
  readonly separateLog: SeparateLog;
}

/**
 * Drops days in PostgreSQL first: from then on nobody reads or writes them, so the separate log may drop them at any
 * time. It does so at each call, since a call may fail in between.
 */
export function separateLogUpkeep({ pool, separateLog }: Dependencies): LogUpkeep {
  const upkeep = postgresLogUpkeep({ pool });
  return {
    ...upkeep,
    dropOverdue: async (retentionDays) => {
      const dropped = await upkeep.dropOverdue(retentionDays);
      const earliest = await upkeep.earliestKept();
      if (Number.isFinite(earliest)) {
        await separateLog.dropBefore(new Date(earliest));
        await dropAnnouncements(pool, earliest - AHEAD_MS);
      }
      return dropped;
    },
  };
}
