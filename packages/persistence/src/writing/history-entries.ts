import type { NewActivity } from '@plugin-config/domain';
import type { RowOf } from '../postgres/numbered-rows.ts';

/** The columns of an activity entry as parameters of a writer. */
export const ENTRY = {
  activity: 'text',
  at: 'timestamptz',
  actor_key_id: 'bigint',
  actor_label: 'text',
  actor_subject: 'text',
  request_id: 'text',
  apply_id: 'uuid',
  activity_changes: 'text',
  config_changes: 'bytea',
  more: 'integer',
} as const;

/** Returns the columns of an entry without configuration values. */
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
    actor_subject: actor.subject && JSON.stringify(actor.subject),
    request_id: requestId,
    apply_id: applyId,
    activity_changes: JSON.stringify(changes),
    config_changes: undefined,
    more,
  };
}

/** SQL expressions for entries: one for each row of `from`, which may end with `order by`. */
export interface Entries {
  readonly from: string;
  readonly record: string;
  readonly activity: string;
  readonly at: string;
  /** The actor, which is the id and the label of the key and the subject, and the id of the request. */
  readonly author: string;
  /** Undefined if an apply never makes such entries. */
  readonly applyId?: string;
  readonly changes: string;
  /** Undefined if such entries never have configuration values. */
  readonly configChanges?: string;
  readonly more?: string;
}

/** Returns the expressions for the entries in the `ENTRY` columns of a table. */
export function entriesIn(table: string): Omit<Entries, 'record' | 'from'> {
  return {
    activity: `${table}.activity`,
    at: `${table}.at`,
    author: `${table}.actor_key_id, ${table}.actor_label, ${table}.actor_subject::json, ${table}.request_id`,
    applyId: `${table}.apply_id`,
    changes: `${table}.activity_changes::json`,
    configChanges: `${table}.config_changes`,
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
  configChanges,
  more = '0',
}: Entries): string {
  const optional = Object.entries({ apply_id: applyId, config_changes: configChanges }).filter(
    ([, value]) => value !== undefined,
  );
  const names = optional.map(([name]) => ` ${name},`).join('');
  const values = optional.map(([, value]) => ` ${value},`).join('');
  return `insert into activity (record_id, activity, created_at, actor_key_id, actor_label, actor_subject, request_id,${names} changes, more)
    select ${record}, ${activity}, ${notBeforeLast(record, at)}, ${author},${values} ${changes}, ${more} from ${from}`;
}

/**
 * SQL for `at`, or the time of the record's last entry if that is later, so the times of a history never decrease, even if the
 * clocks of the writers differ. The `between` with one record makes PostgreSQL use the index even while the table is small.
 */
function notBeforeLast(record: string, at: string): string {
  return `greatest(${at}, (
      select a.created_at from activity a
      where a.record_id between ${record} and ${record} order by a.record_id desc, a.id desc limit 1
    ))`;
}
