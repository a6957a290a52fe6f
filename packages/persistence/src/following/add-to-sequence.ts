import type { LogEntry, LogSequenceWriter } from '@plugin-config/domain';
import type pg from 'pg';
import { notifyListeners } from '../postgres/notify-listeners.ts';
import { prepared, run } from '../postgres/statement.ts';

/** The maximum number of entries in one row. */
export const ROW_ENTRIES = 250;

/**
 * Assigns the next sequence numbers to the entries of each followed log, and notifies the listeners of the records on commit.
 *
 * - The rows of the followed logs are locked in the order of their ids until the commit, so the numbers have the order of the
 *   commits.
 * - `arrived_at` is read under that lock, so lower numbers have older times, and retention drops them first.
 * - `offset 0` makes PostgreSQL parse each array only once.
 */
export const ADD_SEQUENCE = prepared('add_log_sequence')`with incremented as (
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
    insert into log_sequence (record_id, epoch, first, last, times, ids, arrived_at)
    select record_id, epoch, before + ahead + 1, before + least(ahead + ${ROW_ENTRIES}, cardinality(ids)),
      times[ahead + 1:ahead + ${ROW_ENTRIES}], ids[ahead + 1:ahead + ${ROW_ENTRIES}], clock_timestamp()
    from incremented cross join lateral generate_series(0, cardinality(ids) - 1, ${ROW_ENTRIES}) ahead
  )
  select ${notifyListeners('r.ids')}
  from (select array(select record_id from incremented) as ids offset 0) r where cardinality(r.ids) > 0`;

/**
 * Adds entries to the sequence in the transaction that stores them. Duplicates need no number: the transaction that stored the
 * entry has assigned one if the log was followed.
 *
 * @param isUnfollowed whether this transaction has already found that the log has no followers
 */
export function sequenceWriter(
  client: pg.ClientBase,
  isUnfollowed: (recordId: number) => boolean,
): LogSequenceWriter {
  return {
    add: async (entries, outcomes) => {
      const stored = entries.filter(
        ({ recordId }, index) => outcomes[index] === 'stored' && !isUnfollowed(recordId),
      );
      if (stored.length > 0) await run(client, ADD_SEQUENCE, parametersOf(stored));
    },
  };
}

/** Returns the records in the order of their ids, with the keys of their entries. */
function parametersOf(entries: readonly LogEntry[]): Parameters<typeof run>[2] {
  const byRecord = Map.groupBy(entries, ({ recordId }) => recordId);
  const logs = [...byRecord].toSorted(([a], [b]) => a - b);
  return [
    logs.map(([recordId]) => recordId),
    logs.map(([, logEntries]) => `{${logEntries.map(({ timestamp }) => timestamp.getTime()).join(',')}}`),
    logs.map(([, logEntries]) => `{${logEntries.map(({ id }) => id).join(',')}}`),
  ];
}
