import type { LogEntry, LogArrivalWriter } from '@plugin-config/domain';
import type pg from 'pg';
import { announcement } from '../postgres/announcement.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The maximum number of entries in one row. */
const ROW_ENTRIES = 250;

/**
 * Numbers the entries and announces their records. Locks the followed logs in the order of their ids until the commit,
 * so that their arrivals are numbered in the order of the commits. `ahead` counts the entries of the record in earlier
 * rows, `total` those in all rows.
 */
export const ADD_ARRIVALS: Statement = {
  name: 'add_log_arrivals',
  text: `with added as materialized (
    select t.*, f.epoch, f.number
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[]) t (record_id, ahead, total, times, ids)
    cross join lateral (select * from log_follow f where f.record_id = t.record_id for no key update) f
  ),
  raised as (
    update log_follow f set number = a.number + a.total
    from added a where a.ahead = 0 and f.record_id = a.record_id
  ),
  inserted as (
    insert into log_arrival (record_id, epoch, first, last, times, ids, arrived_at)
    select record_id, epoch, number + ahead + 1, number + ahead + cardinality(times::bigint[]), times::bigint[],
      ids::uuid[], statement_timestamp()
    from added
  )
  select ${announcement('r.ids')}
  from (select array(select record_id from added where ahead = 0) as ids) r where cardinality(r.ids) > 0`,
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
      if (stored.length > 0) await run(client, ADD_ARRIVALS, columnsOf(rowsOf(stored)));
    },
  };
}

interface ArrivalRow {
  readonly recordId: number;
  readonly ahead: number;
  readonly total: number;
  readonly entries: readonly LogEntry[];
}

/** The rows in the order of the records. */
function rowsOf(entries: readonly LogEntry[]): readonly ArrivalRow[] {
  const rows: ArrivalRow[] = [];
  const byRecord = Map.groupBy(entries, ({ recordId }) => recordId);
  for (const [recordId, own] of [...byRecord].toSorted(([a], [b]) => a - b)) {
    for (let ahead = 0; ahead < own.length; ahead += ROW_ENTRIES) {
      rows.push({ recordId, ahead, total: own.length, entries: own.slice(ahead, ahead + ROW_ENTRIES) });
    }
  }
  return rows;
}

function columnsOf(rows: readonly ArrivalRow[]): Parameters<typeof run>[2] {
  return [
    rows.map(({ recordId }) => recordId),
    rows.map(({ ahead }) => ahead),
    rows.map(({ total }) => total),
    rows.map(({ entries }) => `{${entries.map(({ timestamp }) => timestamp.getTime()).join(',')}}`),
    rows.map(({ entries }) => `{${entries.map(({ id }) => id).join(',')}}`),
  ];
}
