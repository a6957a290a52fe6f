import { concealHistory, type Activity, type FieldChange, type HistoryMasking } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Statement } from '../postgres/statement.ts';

const MAX_ENTRIES = 200;
const MAX_BYTES = 2 * 1024 * 1024;

const TO_MASK =
  'begin; set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off';

const ENTRY = columns((row) => ({
  id: row.number('e.id'),
  activity: row.text('e.activity') as Activity,
  changes: row.text('e.changes'),
}));

const NOTED = columns((row) => ({
  recordId: row.number('e.record_id'),
  keys: row.json('array_to_json(e.keys)') as readonly string[],
  entry: row.allOrNull(ENTRY),
}));

type Noted = ReturnType<typeof NOTED.read>;

/**
 * Locks keys that nobody else masks now, and reads the next entries of their records, record by record, until the limit. A
 * record without further entries has a row, too.
 */
const NEXT_ENTRIES: Statement = {
  name: 'next_unmasked_entries',
  text: `select ${NOTED.sql} from ${rowsThatFit({
    from: `(
      select n.record_id, n.keys, a.id, a.activity, a.changes, a.changes_bytes
      from (
        select n.record_id, array_agg(n.key) as keys, min(n.up_to) as up_to
        from (
          select * from unmasked_history order by record_id, key limit ${MAX_ENTRIES} for update skip locked
        ) n group by n.record_id order by n.record_id
      ) n
      left join lateral (
        select * from activity a where a.record_id = n.record_id and a.id > n.up_to
        order by a.record_id, a.id limit ${MAX_ENTRIES}
      ) a on true
      limit ${MAX_ENTRIES}
    )`,
    order: 'p.record_id, p.id',
    bytes: 'coalesce(p.changes_bytes, 0)',
    maxBytes: String(MAX_BYTES),
  })} e order by e.record_id, e.id`,
};

const MASK: Statement = {
  name: 'mask_entries',
  text: `update activity a set changes = t.changes from unnest($1::bigint[], $2::json[]) t (id, changes) where a.id = t.id`,
};

const ADVANCE: Statement = {
  name: 'advance_masking',
  text: `update unmasked_history set up_to = $3 where record_id = $1 and key = any ($2::text[])`,
};

const FORGET: Statement = {
  name: 'forget_masked',
  text: `delete from unmasked_history n using unnest($1::bigint[], $2::text[]) t (record_id, key)
  where n.record_id = t.record_id and n.key = t.key`,
};

/** Locks no family. */
export function postgresHistoryMasking({ pool }: Pick<Database, 'pool'>): HistoryMasking {
  return {
    async *maskNoted() {
      for (;;) {
        const noted = await inTransaction(pool, TO_MASK, maskPortion);
        if (noted.length === 0) return;
        yield noted.length;
      }
    },
  };
}

async function maskPortion(client: pg.ClientBase): Promise<readonly Noted[]> {
  const noted = (await run(client, NEXT_ENTRIES, [])).map((row) => NOTED.read(row));
  const last = noted.at(-1);
  if (last === undefined) return [];
  const masked = noted.flatMap(maskedEntry);
  await run(client, MASK, [masked.map(({ id }) => id), masked.map(({ changes }) => changes)]);
  if (last.entry !== null) await run(client, ADVANCE, [last.recordId, last.keys, last.entry.id]);
  const done = noted.filter(({ recordId, entry }) => entry === null || recordId !== last.recordId);
  const pairs = done.flatMap(({ recordId, keys }) => keys.map((key) => [recordId, key] as const));
  await run(client, FORGET, [pairs.map(([recordId]) => recordId), pairs.map(([, key]) => key)]);
  return noted;
}

/** The entry with its secrets masked; nothing if it has none. */
function maskedEntry({ keys, entry }: Noted): readonly { readonly id: number; readonly changes: string }[] {
  if (entry === null) return [];
  const { id, activity } = entry;
  const stored = { activity, changes: JSON.parse(entry.changes) as readonly FieldChange[] };
  const concealed = concealHistory(stored, new Set(keys));
  return concealed === stored ? [] : [{ id, changes: JSON.stringify(concealed.changes) }];
}
