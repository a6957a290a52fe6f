import type { LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../../postgres/columns.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import { MATCHES } from '../hours/hour-counts.ts';
import type { Kinds } from '../entries/kinds.ts';
import { OWN_LOG } from '../own-log.ts';

const START = columns((row) => ({
  /** The number of matches in the whole log. */
  total: row.number('coalesce(max(h.reached), 0)'),
  /** The hour with the first match that is not skipped; null if there is none. */
  hour: row.dateOrNull('max(h.hour) filter (where h.reached > $4::bigint)'),
  /** The number of matches to skip in this hour, from its end. */
  rest: row.number('$4::bigint - coalesce(max(h.reached) filter (where h.reached <= $4::bigint), 0)'),
  /** The hour that completes the page; null if the log has too few matches. */
  lastHour: row.dateOrNull('max(h.hour) filter (where h.reached >= $4::bigint + $5::bigint)'),
}));

/** Adds up the hours, newest first. */
const FIND_START: Statement = {
  name: 'find_log_page_start',
  text: `select ${START.sql}
  from (
    select h.hour, (sum(${MATCHES('h', '$3')}) over (order by h.hour desc))::bigint as reached
    from log_hour h
    where h.record_id = $1 and ${OWN_LOG('$1', '$2')}
  ) h`,
};

export type PageStart = ReturnType<typeof START.read>;

/** @param skip the number of newer matches that are not on the page */
export async function findStart(
  client: pg.ClientBase,
  { id, projectId }: LogRef,
  kinds: Kinds,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<PageStart> {
  const [row] = await run(client, FIND_START, [id, projectId, kinds, skip, limit]);
  return row === undefined ? { total: 0, hour: null, rest: 0, lastHour: null } : START.read(row);
}
