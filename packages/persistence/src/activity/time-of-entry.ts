/**
 * The time of a new activity entry as SQL: `at`, or the time of the record's last entry if that is later, so that the
 * times of a history do not decrease, whatever the clocks of the writers say. A writer of a record locks its family. The
 * range of one record makes PostgreSQL use the index, even while the table is small.
 */
export function timeOfEntry(record: string, at: string): string {
  return `greatest(${at}, (
      select a.created_at from activity a
      where a.record_id between ${record} and ${record} order by a.record_id desc, a.id desc limit 1
    ))`;
}
