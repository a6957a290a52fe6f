import type { EntryKey, LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { wordsOf } from './kinds.ts';

const FOUND = columns((row) => ({
  item: row.number('e.item'),
  timestamp: row.date('e.timestamp'),
  id: row.text('e.id'),
  instanceId: row.text('e.instance_id'),
  plugin: row.number('e.plugin'),
  message: row.text('e.message'),
  kind: row.text(
    `coalesce(e.source_type, (select k.kinds[e.kind + 1] from log_kind k where k.record_id = e.record_id), '')`,
  ),
}));

/** Looks up entries by their keys, for each item as many as fit into its bytes, at least one. */
const FIND_ENTRIES: Statement = {
  name: 'find_log_entries',
  text: `select ${FOUND.sql}
  from (
    select e.*, t.item, t.number as key_number, t.max_bytes,
      sum(octet_length(e.message)) over w as bytes, row_number() over w as key_of_item
    from unnest($1::integer[], $2::bigint[], $3::timestamptz[], $4::uuid[], $5::bigint[])
      with ordinality t (item, record_id, timestamp, id, max_bytes, number)
    cross join lateral (
      select * from log_entry e where e.record_id = t.record_id and e.timestamp = t.timestamp and e.id = t.id
    ) e
    window w as (partition by t.item order by t.number rows unbounded preceding)
  ) e
  where e.key_of_item = 1 or e.bytes <= e.max_bytes
  order by e.key_number`,
};

export interface EntriesQuestion {
  readonly record: { readonly projectId: number; readonly id: number };
  readonly keys: readonly EntryKey[];
  readonly maxBytes: number;
}

export async function findEntries(
  pool: pg.Pool,
  questions: readonly EntriesQuestion[],
): Promise<readonly (readonly LogEntry[])[]> {
  const keys = questions.flatMap(({ record, keys: own, maxBytes }, item) =>
    own.map((key) => ({ ...key, item, recordId: record.id, maxBytes })),
  );
  const found: LogEntry[][] = questions.map(() => []);
  for (const row of await run(pool, FIND_ENTRIES, [
    keys.map(({ item }) => item),
    keys.map(({ recordId }) => recordId),
    keys.map(({ timestamp }) => timestamp.toISOString()),
    keys.map(({ id }) => id),
    keys.map(({ maxBytes }) => maxBytes),
  ])) {
    const { item, kind, ...entry } = FOUND.read(row);
    const record = questions[item]?.record;
    if (record === undefined) continue;
    found[item]?.push({ ...entry, ...wordsOf(kind), projectId: record.projectId, recordId: record.id });
  }
  return found;
}
