import type { EntryKey, LogFilter, LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../../postgres/columns.ts';
import { prepared, run } from '../../postgres/statement.ts';
import { HOUR_MS, IS_KEPT, MATCHES, startOfHour } from '../hours/hour-counts.ts';
import type { Kinds } from '../entries/kinds.ts';
import { OWN_LOG } from '../../entities/families-in-sql.ts';
import { clampMoment } from './clamp-moment.ts';

/** Adds up the hours from $4, and counts the entries from $3 to that hour. */
const COUNT_FROM = prepared('count_log_entries_from')`
  select coalesce(sum(${MATCHES('h', '$2')}), 0)::bigint + (
    select count(*) from log_entry e
    where e.record_id = $1 and ${OWN_LOG('$1', '$5')} and e.timestamp >= $3::timestamptz and e.timestamp < $4::timestamptz
      and ($2::integer[] is null or e.kind = any ($2::integer[]))
  )
  from log_hour h
  where h.record_id = $1 and ${OWN_LOG('$1', '$5')} and h.hour >= $4::timestamptz and ${IS_KEPT('h')}`;

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

const COUNT_AT_MOMENT = prepared('count_log_entries_at_moment')`select count(*)
  from log_entry
  where record_id = $1 and ${OWN_LOG('$1', '$5')} and timestamp = $2::timestamptz and id > $3::uuid
    and ($4::integer[] is null or kind = any ($4::integer[]))`;

/** Counts the matches that precede this entry in a listing, using the counters, and the index for equal times. */
export async function countBefore(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter, key: { timestamp, id } }: { readonly filter: LogFilter; readonly key: EntryKey },
): Promise<number> {
  const count = (from: number): Promise<number> => countFrom(client, record, kinds, from);
  const tooNew = filter.before === null ? 0 : await count(filter.before.getTime());
  const newer = await count(timestamp.getTime() + 1);
  const parameters = [record.id, timestamp.toISOString(), id, kinds, record.projectId];
  const [row] = await run(client, COUNT_AT_MOMENT, parameters);
  return newer - tooNew + (row === undefined ? 0 : numberAt(row, 0));
}
