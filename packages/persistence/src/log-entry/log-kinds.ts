import type pg from 'pg';
import { numberAt, textAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';
import type { EntryRow } from './entry-row.ts';

/** The kinds of a record's entries, in the order of the counts in its blocks. They never change place. */
export type LogKinds = readonly string[];

const FIND_KINDS: Statement = {
  name: 'find_log_kinds',
  text: `select record_id, array_to_string(kinds, ',') from log_kind where record_id = any ($1::bigint[])`,
};

const ADD_KINDS: Statement = {
  name: 'add_log_kinds',
  text: `insert into log_kind as k (record_id, kinds)
  select t.record_id, t.kinds::text[] from unnest($1::bigint[], $2::text[]) t (record_id, kinds)
  on conflict (record_id) do update
  set kinds = k.kinds || array(select n.kind from unnest(excluded.kinds) n (kind) where n.kind <> all (k.kinds))
  returning record_id, array_to_string(kinds, ',')`,
};

/** Source and type: what entries are counted by. */
export function kindOf({ source, type }: Pick<EntryRow, 'source' | 'type'>): string {
  return `${source} ${type}`;
}

export async function findKinds(client: pg.ClientBase, recordId: number): Promise<LogKinds> {
  const [row] = await run(client, FIND_KINDS, [[recordId]]);
  return row === undefined ? [] : textAt(row, 1).split(',');
}

/** At which place of its record's counts each row counts, from 0. Takes up the kinds that are new. */
export async function countingPlaces(client: pg.ClientBase, rows: readonly EntryRow[]): Promise<Uint32Array> {
  const ids = [...new Set(rows.map(({ recordId }) => recordId))];
  const known = places(await run(client, FIND_KINDS, [ids]));
  const unknown = unknownKinds(rows, known);
  if (unknown.size > 0) await addKinds(client, unknown, known);
  return Uint32Array.from(rows, (row) => known.get(row.recordId)?.get(kindOf(row)) ?? 0);
}

type Places = Map<number, ReadonlyMap<string, number>>;

function places(rows: Awaited<ReturnType<typeof run>>): Places {
  return new Map(
    rows.map((row) => [numberAt(row, 0), new Map(textAt(row, 1).split(',').map((kind, place) => [kind, place]))]),
  );
}

function unknownKinds(rows: readonly EntryRow[], known: Places): ReadonlyMap<number, ReadonlySet<string>> {
  const unknown = new Map<number, Set<string>>();
  for (const row of rows) {
    const kind = kindOf(row);
    if (known.get(row.recordId)?.has(kind) === true) continue;
    const kinds = unknown.get(row.recordId) ?? new Set();
    unknown.set(row.recordId, kinds.add(kind));
  }
  return unknown;
}

async function addKinds(
  client: pg.ClientBase,
  unknown: ReadonlyMap<number, ReadonlySet<string>>,
  known: Places,
): Promise<void> {
  const ids = [...unknown.keys()].toSorted((a, b) => a - b);
  const kinds = ids.map((id) => `{${[...(unknown.get(id) ?? [])].map((kind) => `"${kind}"`).join(',')}}`);
  for (const [id, found] of places(await run(client, ADD_KINDS, [ids, kinds]))) known.set(id, found);
}
