import { isoDay, type LogUsageStore, type LogUsageWriter } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { prepared, run } from '../postgres/statement.ts';

const TODAY = `(now() at time zone 'UTC')::date`;

const LOCKED = columns((row) => ({
  projectId: row.number('project_id'),
  amount: { entries: row.number('entries'), bytes: row.number('bytes') },
}));

/** Locks the rows of today. Creates missing rows, since only existing rows can be locked. */
const LOCK_USAGE = prepared('lock_log_usage')`
  insert into log_usage as u (day, project_id, entries, bytes, over_quota)
  select ${TODAY}, t.id, 0, 0, 0 from unnest($1::bigint[]) t (id)
  on conflict (day, project_id) do update set entries = u.entries
  returning ${LOCKED.sql}`;

/** The rows are sorted by project to avoid deadlocks. */
export const ADD_USAGE = prepared('add_log_usage')`
  insert into log_usage as u (day, project_id, entries, bytes, over_quota)
  select ${TODAY}, * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
  on conflict (day, project_id) do update set entries = u.entries + excluded.entries, bytes = u.bytes + excluded.bytes,
    over_quota = u.over_quota + excluded.over_quota`;

/** Writes usage within the transaction of this client, which also holds the locks. */
export function logUsageWriter(client: pg.ClientBase): LogUsageWriter {
  return {
    lock: async (projectIds) => {
      const rows = await run(client, LOCK_USAGE, [projectIds]);
      return new Map(rows.map((row) => LOCKED.read(row)).map(({ projectId, amount }) => [projectId, amount]));
    },

    add: async (used) => {
      if (used.size === 0) return;
      const sorted = [...used].toSorted(([a], [b]) => a - b);
      await run(client, ADD_USAGE, [
        sorted.map(([projectId]) => projectId),
        sorted.map(([, { entries }]) => entries),
        sorted.map(([, { bytes }]) => bytes),
        sorted.map(([, { overQuota }]) => overQuota),
      ]);
    },
  };
}

const DAY = columns((row) => ({
  day: row.date("u.day::timestamp at time zone 'UTC'"),
  entries: row.number('u.entries'),
  bytes: row.number('u.bytes'),
  overQuota: row.number('u.over_quota'),
}));

const READ_USAGE = prepared('read_log_usage')`
  select ${DAY.sql} from log_usage u where u.day >= $2::date and u.project_id = $1::bigint order by u.day desc`;

export function postgresLogUsageStore({ pool }: Pick<Database, 'pool'>): LogUsageStore {
  return {
    since: async (projectId, day) =>
      (await run(pool, READ_USAGE, [projectId, isoDay(day)])).map((row) => DAY.read(row)),
  };
}
