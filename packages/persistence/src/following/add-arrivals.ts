import type { LogEntry, LogArrivalWriter } from '@plugin-config/domain';
import type pg from 'pg';
import { announcement } from './announcement.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The maximum number of entries in one row. */
const ROW_ENTRIES = 250;

/**
 * Numbers the entries and announces their records. Locks the followed logs in the order of their ids until the commit,
 * so that their arrivals are numbered in the order of the commits. The time of an arrival is taken under the lock, so
 * that retention drops the oldest numbers first. `offset 0` has each array made from its text once.
 */
export const ADD_ARRIVALS: Statement = {
  name: 'add_log_arrivals',
  text: `with raised as (
    update log_follow f set number = f.number + cardinality(t.ids)
    from (
      select t.record_id, t.times::bigint[], t.ids::uuid[]
      from unnest($1::bigint[], $2::text[], $3::text[]) t (record_id, times, ids)
      offset 0
    ) t
    where f.record_id = t.record_id
    returning f.record_id, f.epoch, f.number - cardinality(t.ids) as before, t.times, t.ids
  ),
  inserted as (
    insert into log_arrival (record_id, epoch, first, last, times, ids, arrived_at)
    select record_id, epoch, before + ahead + 1, before + least(ahead + ${ROW_ENTRIES}, cardinality(ids)),
      times[ahead + 1:ahead + ${ROW_ENTRIES}], ids[ahead + 1:ahead + ${ROW_ENTRIES}], clock_timestamp()
    from raised cross join lateral generate_series(0, cardinality(ids) - 1, ${ROW_ENTRIES}) ahead
  )
  select ${announcement('r.ids')}
  from (select array(select record_id from raised) as ids offset 0) r where cardinality(r.ids) > 0`,
};

/**
 * Adds arrivals within a transaction that writes logs, which is the one that stores the entries. So an entry that is a
 * duplicate was an arrival before, or it was stored before its log was followed.
 *
 * @param isUnfollowed tells the logs that nobody follows, as far as this transaction has asked
 */
export function arrivalWriter(
  client: pg.ClientBase,
  isUnfollowed: (recordId: number) => boolean,
): LogArrivalWriter {
  return {
    add: async (entries, outcomes) => {
      const stored = entries.filter(
        ({ recordId }, index) => outcomes[index] === 'stored' && !isUnfollowed(recordId),
      );
      if (stored.length > 0) await run(client, ADD_ARRIVALS, parametersOf(stored));
    },
  };
}

/** The records in the order of their ids, and the keys of their entries. */
function parametersOf(entries: readonly LogEntry[]): Parameters<typeof run>[2] {
  const byRecord = Map.groupBy(entries, ({ recordId }) => recordId);
  const logs = [...byRecord].toSorted(([a], [b]) => a - b);
  return [
    logs.map(([recordId]) => recordId),
    logs.map(([, own]) => `{${own.map(({ timestamp }) => timestamp.getTime()).join(',')}}`),
    logs.map(([, own]) => `{${own.map(({ id }) => id).join(',')}}`),
  ];
}
