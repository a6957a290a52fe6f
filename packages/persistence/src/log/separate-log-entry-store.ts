import type { LogEntryStore, SeparateLog } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { earliestKept } from './log-days.ts';
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
    newestKeys: async (record, filter, limit) =>
      separateLog.newestKeys(record, filter, limit, { earliest: await earliestKept(pool) }),
    find: separateLog.find,
  };
}
