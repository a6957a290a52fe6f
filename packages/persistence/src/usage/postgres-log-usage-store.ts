import { isoDay, type LogUsageStore } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

const DAY = columns((row) => ({
  day: row.date("u.day::timestamp at time zone 'UTC'"),
  entries: row.number('u.entries'),
  bytes: row.number('u.bytes'),
  overQuota: row.number('u.over_quota'),
}));

const READ_USAGE: Statement = {
  name: 'read_log_usage',
  text: `select ${DAY.sql} from log_usage u where u.day >= $2::date and u.project_id = $1::bigint order by u.day desc`,
};

export function postgresLogUsageStore({ pool }: Pick<Database, 'pool'>): LogUsageStore {
  return {
    since: async (projectId, day) =>
      (await run(pool, READ_USAGE, [projectId, isoDay(day)])).map((row) => DAY.read(row)),
  };
}
