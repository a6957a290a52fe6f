import type { EntryKey, LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../../postgres/columns.ts';
import { prepared, run } from '../../postgres/statement.ts';
import { OF_OWN_PROJECT } from '../../entities/families-in-sql.ts';
import { ENTRY, entryOf } from './entry-columns.ts';

const FOUND = columns((row) => ({ item: row.number('item'), entry: row.all(ENTRY) }));

/**
 * Looks up entries by their keys: for each item, as many as fit into its byte limit, but at least one. The keys of an item are a
 * slice of all keys, so its project is only checked once.
 */
export const FIND_ENTRIES = prepared('find_log_entries')`select ${FOUND.sql}
  from (
    select e.*, t.item, k.number as key_number, t.max_bytes,
      sum(octet_length(e.message)) over w as bytes, row_number() over w as key_of_item
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[])
      with ordinality t (record_id, project_id, max_bytes, first, last, item)
    ${OF_OWN_PROJECT('t')}
    cross join lateral unnest(($6::timestamptz[])[t.first:t.last], ($7::uuid[])[t.first:t.last])
      with ordinality k (timestamp, id, number)
    cross join lateral (
      select * from log_entry e
      where e.record_id = t.record_id and e.timestamp = k.timestamp and e.id = k.id
      offset 0
    ) e
    window w as (partition by t.item order by k.number rows unbounded preceding)
  ) e
  where e.key_of_item = 1 or e.bytes <= e.max_bytes
  order by e.item, e.key_number`;

export interface EntriesQuery {
  readonly record: { readonly projectId: number; readonly id: number };
  readonly keys: readonly EntryKey[];
  readonly maxBytes: number;
}

/** Returns the entries of each query, none if the log belongs to another project. */
export async function findEntries(
  pool: pg.Pool,
  queries: readonly EntriesQuery[],
): Promise<readonly (readonly LogEntry[])[]> {
  const keys = queries.flatMap((query) => query.keys);
  let total = 0;
  const ends = queries.map((query) => (total += query.keys.length));
  const found: LogEntry[][] = queries.map(() => []);
  for (const row of await run(pool, FIND_ENTRIES, [
    queries.map(({ record }) => record.id),
    queries.map(({ record }) => record.projectId),
    queries.map(({ maxBytes }) => maxBytes),
    ends.map((end, at) => end - (queries[at]?.keys.length ?? 0) + 1),
    ends,
    keys.map(({ timestamp }) => timestamp.toISOString()),
    keys.map(({ id }) => id),
  ])) {
    const { item, entry } = FOUND.read(row);
    const record = queries[item - 1]?.record;
    if (record !== undefined) found[item - 1]?.push(entryOf(entry, record));
  }
  return found;
}
