import type { LogEntryStore, SeparateLog } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { untilBatchesEnd } from '../following/follow-logs.ts';
import { earliestKept } from './days/log-days.ts';
import { postgresLogAppender } from './postgres-log-appender.ts';

interface Dependencies extends Pick<Database, 'pool'> {
  readonly separateLog: SeparateLog;
}

/** The logs with their entries in a separate log. PostgreSQL knows the days that are kept, and what has arrived. */
export function separateLogEntryStore({ pool, separateLog }: Dependencies): LogEntryStore {
  return {
    ...postgresLogAppender({ pool, separateLog }),
    page: async (record, filter, page, signal) =>
      separateLog.page(record, filter, page, { earliest: await earliestKept(pool), signal }),
    /** The entries of a batch in progress are in the separate log before they arrive. */
    newestKeys: async (record, filter, limit) => {
      const earliest = await earliestKept(pool);
      const keys = await separateLog.newestKeys(record, filter, limit, { earliest });
      await untilBatchesEnd(pool);
      return keys;
    },
    countBefore: async (record, filter, key, signal) =>
      separateLog.countBefore(record, filter, key, { earliest: await earliestKept(pool), signal }),
    findKey: async (record, id, signal) =>
      separateLog.findKey(record, id, { earliest: await earliestKept(pool), signal }),
    find: separateLog.find,
  };
}
