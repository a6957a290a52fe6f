import {
  concealHistory,
  maskConfiguration,
  type FieldChange,
  type HistoryMasking,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Statement } from '../postgres/statement.ts';

const MAX_ROWS = 200;
const MAX_BYTES = 2 * 1024 * 1024;

const TO_MASK =
  'begin; set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off';

/** A table `t` of texts about records, which may show what has become secret. */
interface Masked {
  readonly table: string;
  /** The table of the notes: which keys are to be masked in which record. */
  readonly notes: string;
  /** The column that orders the rows of a record. */
  readonly id: string;
  /** The column of the text, its type, its size, and the expression of what may have a secret: null if nothing has. */
  readonly column: string;
  readonly type: string;
  readonly bytes: string;
  readonly text: string;
  /** Returns the same text if it shows none of these keys. */
  readonly mask: (text: string, keys: ReadonlySet<string>) => string;
}

const HISTORIES: Masked = {
  table: 'activity',
  notes: 'unmasked_history',
  id: 'id',
  column: 'changes',
  type: 'json',
  bytes: 't.changes_bytes',
  text: `case when t.activity = 'config_updated' then t.changes::text end`,
  mask: maskChanges,
};

const EDITIONS: Masked = {
  table: 'edition',
  notes: 'unmasked_edition',
  id: 'number',
  column: 'config',
  type: 'text',
  bytes: 'coalesce(octet_length(t.config), 0)',
  text: 't.config',
  mask: maskConfiguration,
};

/** Locks no family. */
export function postgresHistoryMasking({ pool }: Pick<Database, 'pool'>): HistoryMasking {
  const [histories, editions] = [statementsOf(HISTORIES), statementsOf(EDITIONS)];
  return {
    async *maskNoted() {
      yield* maskAll(pool, histories);
      yield* maskAll(pool, editions);
    },
  };
}

async function* maskAll(pool: pg.Pool, statements: Statements): AsyncGenerator<number, void> {
  for (;;) {
    const noted = await inTransaction(pool, TO_MASK, (client) => maskPortion(client, statements));
    if (noted.length === 0) return;
    yield noted.length;
  }
}

const ROW = columns((row) => ({ id: row.number('e.id'), text: row.textOrNull('e.text') }));

const NOTED = columns((row) => ({
  recordId: row.number('e.record_id'),
  keys: row.json('array_to_json(e.keys)') as readonly string[],
  row: row.allOrNull(ROW),
}));

type Noted = ReturnType<typeof NOTED.read>;

interface Statements extends Pick<Masked, 'mask'> {
  readonly next: Statement;
  readonly store: Statement;
  readonly advance: Statement;
  readonly forget: Statement;
}

function statementsOf({ table, notes, id, column, type, bytes, text, mask }: Masked): Statements {
  return {
    mask,

    /**
     * Locks notes that nobody else works on now, and reads the next rows of their records, record by record, until the limit.
     * A record without further rows has a row, too.
     */
    next: {
      name: `next_of_${notes}`,
      text: `select ${NOTED.sql} from ${rowsThatFit({
        from: `(
      select n.record_id, n.keys, t.${id} as id, ${text} as text, ${bytes} + octet_length(n.keys::text) as text_bytes
      from (
        select * from ${notes} order by record_id limit ${MAX_ROWS} for update skip locked
      ) n
      left join lateral (
        select * from ${table} t where t.record_id = n.record_id and t.${id} > n.up_to
        order by t.record_id, t.${id} limit ${MAX_ROWS}
      ) t on true
      limit ${MAX_ROWS}
    )`,
        order: 'p.record_id, p.id',
        bytes: 'coalesce(p.text_bytes, 0)',
        maxBytes: String(MAX_BYTES),
      })} e order by e.record_id, e.id`,
    },

    store: {
      name: `mask_${table}`,
      text: `update ${table} t set ${column} = m.text
  from unnest($1::bigint[], $2::bigint[], $3::${type}[]) m (record_id, id, text)
  where t.record_id = m.record_id and t.${id} = m.id`,
    },

    advance: {
      name: `advance_${notes}`,
      text: `update ${notes} set up_to = $2 where record_id = $1`,
    },

    forget: {
      name: `forget_${notes}`,
      text: `delete from ${notes} where record_id = any ($1::bigint[])`,
    },
  };
}

async function maskPortion(
  client: pg.ClientBase,
  { next, store, advance, forget, mask }: Statements,
): Promise<readonly Noted[]> {
  const noted = (await run(client, next, [])).map((row) => NOTED.read(row));
  const last = noted.at(-1);
  if (last === undefined) return [];
  const masked = noted.flatMap(({ recordId, keys, row }) => {
    const { id = 0, text: stored = null } = row ?? {};
    if (stored === null) return [];
    const text = mask(stored, new Set(keys));
    return text === stored ? [] : [{ recordId, id, text }];
  });
  await run(client, store, [
    masked.map(({ recordId }) => recordId),
    masked.map(({ id }) => id),
    masked.map(({ text }) => text),
  ]);
  if (last.row !== null) await run(client, advance, [last.recordId, last.row.id]);
  const done = noted.filter(({ recordId, row }) => row === null || recordId !== last.recordId);
  await run(client, forget, [[...new Set(done.map(({ recordId }) => recordId))]]);
  return noted;
}

function maskChanges(text: string, keys: ReadonlySet<string>): string {
  const stored = { activity: 'config_updated', changes: JSON.parse(text) as readonly FieldChange[] } as const;
  const concealed = concealHistory(stored, keys);
  return concealed === stored ? text : JSON.stringify(concealed.changes);
}
