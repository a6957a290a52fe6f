import type { LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../../postgres/columns.ts';
import { prepared, run } from '../../postgres/statement.ts';

export const FIND_STORED = prepared('find_stored_log_entries')`
  select t.place from unnest($1::bigint[], $2::timestamptz[], $3::uuid[])
    with ordinality t (record_id, timestamp, id, place)
  where exists (
    select from log_entry e where e.record_id = t.record_id and e.timestamp = t.timestamp and e.id = t.id offset 0
  )`;

export async function areInPostgres(
  client: pg.ClientBase,
  entries: readonly LogEntry[],
): Promise<readonly boolean[]> {
  const rows = await run(client, FIND_STORED, [
    entries.map(({ recordId }) => recordId),
    entries.map(({ timestamp }) => timestamp.toISOString()),
    entries.map(({ id }) => id),
  ]);
  const places = new Set(rows.map((row) => numberAt(row, 0)));
  return entries.map((_, index) => places.has(index + 1));
}
