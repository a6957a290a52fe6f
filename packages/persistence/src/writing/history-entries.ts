import type { NewActivity } from '@plugin-config/domain';
import type { RowOf } from '../postgres/numbered-rows.ts';

/** The columns of an entry that the domain describes, as a writer gets them. */
export const ENTRY = {
  activity: 'text',
  at: 'timestamptz',
  actor_key_id: 'bigint',
  actor_label: 'text',
  request_id: 'text',
  apply_id: 'uuid',
  activity_changes: 'text',
  more: 'integer',
} as const;

/** The values of these columns. */
export function entryValues({
  activity,
  at,
  actor,
  requestId,
  applyId,
  changes,
  more = 0,
}: NewActivity): RowOf<typeof ENTRY> {
  return {
    activity,
    at,
    actor_key_id: actor.keyId,
    actor_label: actor.label,
    request_id: requestId,
    apply_id: applyId,
    activity_changes: JSON.stringify(changes),
    more,
  };
}

/** The SQL of entries: one for each row of `from`, which may end with their order. */
export interface Entries {
  readonly from: string;
  readonly record: string;
  readonly activity: string;
  readonly at: string;
  /** The id and the label of the key, and the id of the request. */
  readonly author: string;
  /** Absent if no apply makes such entries. */
  readonly applyId?: string;
  readonly changes: string;
  readonly more?: string;
}

/** The SQL of entries that a table has in the columns of `ENTRY`. */
export function entriesIn(table: string): Omit<Entries, 'record' | 'from'> {
  return {
    activity: `${table}.activity`,
    at: `${table}.at`,
    author: `${table}.actor_key_id, ${table}.actor_label, ${table}.request_id`,
    applyId: `${table}.apply_id`,
    changes: `${table}.activity_changes::json`,
    more: `${table}.more`,
  };
}

export function insertEntries({
  from,
  record,
  activity,
  at,
  author,
  applyId,
  changes,
  more = '0',
}: Entries): string {
  const [column, value] = applyId === undefined ? ['', ''] : [' apply_id,', ` ${applyId},`];
  return `insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id,${column} changes, more)
    select ${record}, ${activity}, ${notBeforeLast(record, at)}, ${author},${value} ${changes}, ${more} from ${from}`;
}

/**
 * `at`, or the time of the record's last entry if that is later, so that the times of a history do not decrease, whatever
 * the clocks of the writers say. The range of one record makes PostgreSQL use the index, even while the table is small.
 */
function notBeforeLast(record: string, at: string): string {
  return `greatest(${at}, (
      select a.created_at from activity a
      where a.record_id between ${record} and ${record} order by a.record_id desc, a.id desc limit 1
    ))`;
}
