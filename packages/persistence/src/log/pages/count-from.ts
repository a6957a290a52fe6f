import type { LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../../postgres/columns.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import { HOUR_MS, MATCHES, startOfHour } from '../hours/hour-counts.ts';
import type { Kinds } from '../entries/kinds.ts';
import { OWN_LOG } from '../own-log.ts';
import { clampMoment } from './clamp-moment.ts';

/** Adds up the hours from $4, and counts the entries from $3 to that hour. */
const COUNT_FROM: Statement = {
  name: 'count_log_entries_from',
  text: `select coalesce(sum(${MATCHES('h', '$2')}), 0)::bigint + (
    select count(*) from log_entry e
    where e.record_id = $1 and ${OWN_LOG('$1', '$5')} and e.timestamp >= $3::timestamptz and e.timestamp < $4::timestamptz
      and ($2::integer[] is null or e.kind = any ($2::integer[]))
  )
  from log_hour h
  where h.record_id = $1 and ${OWN_LOG('$1', '$5')} and h.hour >= $4::timestamptz`,
};

/** Counts the entries at a time or later. Reads the entries of one hour at most. */
export async function countFrom(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  from: number,
): Promise<number> {
  const moment = clampMoment(from);
  const nextHour = clampMoment(startOfHour(moment + HOUR_MS - 1));
  const bounds = [moment, nextHour].map((time) => new Date(time).toISOString());
  const [row] = await run(client, COUNT_FROM, [record.id, kinds, ...bounds, record.projectId]);
  return row === undefined ? 0 : numberAt(row, 0);
}
