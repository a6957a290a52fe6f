import type { LogFilter } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt, textAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';

/** Which entries are wanted, by the places of their kinds; null for all. */
export type Places = readonly number[] | null;

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

/** The places of the kinds that fit a filter; null where all do. */
export function placesOf(kinds: LogKinds, { types, source }: Pick<LogFilter, 'types' | 'source'>): Places {
  const places = [...kinds.keys()].filter((place) => {
    const [ofSource, ofType] = kinds[place]?.split(' ') ?? [];
    return (
      (source === null || source === ofSource) &&
      (types.length === 0 || types.some((type) => type === ofType))
    );
  });
  return places.length === kinds.length ? null : places;
}

interface Kinded {
  readonly recordId: number;
  readonly source: string;
  readonly type: string;
}

/** Source and type: what entries are counted by. */
function kindOf({ source, type }: Kinded): string {
  return `${source} ${type}`;
}

export async function findKinds(client: pg.ClientBase, recordId: number): Promise<LogKinds> {
  const [row] = await run(client, FIND_KINDS, [[recordId]]);
  return row === undefined ? [] : textAt(row, 1).split(',');
}

/** At which place each entry's kind stands among those of its record, from 0. Takes up the kinds that are new. */
export async function placeKinds(
  client: pg.ClientBase,
  entries: readonly Kinded[],
): Promise<(entry: Kinded) => number> {
  const ids = [...new Set(entries.map(({ recordId }) => recordId))];
  const known = knownKinds(await run(client, FIND_KINDS, [ids]));
  const unknown = unknownKinds(entries, known);
  if (unknown.size > 0) await addKinds(client, unknown, known);
  return (entry) => known.get(entry.recordId)?.get(kindOf(entry)) ?? 0;
}

type KnownKinds = Map<number, ReadonlyMap<string, number>>;

function knownKinds(rows: Awaited<ReturnType<typeof run>>): KnownKinds {
  return new Map(
    rows.map((row) => [
      numberAt(row, 0),
      new Map(
        textAt(row, 1)
          .split(',')
          .map((kind, place) => [kind, place]),
      ),
    ]),
  );
}

function unknownKinds(
  entries: readonly Kinded[],
  known: KnownKinds,
): ReadonlyMap<number, ReadonlySet<string>> {
  const unknown = new Map<number, Set<string>>();
  for (const entry of entries) {
    const kind = kindOf(entry);
    if (known.get(entry.recordId)?.has(kind) === true) continue;
    const kinds = unknown.get(entry.recordId) ?? new Set();
    unknown.set(entry.recordId, kinds.add(kind));
  }
  return unknown;
}

async function addKinds(
  client: pg.ClientBase,
  unknown: ReadonlyMap<number, ReadonlySet<string>>,
  known: KnownKinds,
): Promise<void> {
  const ids = [...unknown.keys()].toSorted((a, b) => a - b);
  const kinds = ids.map((id) => `{${[...(unknown.get(id) ?? [])].map((kind) => `"${kind}"`).join(',')}}`);
  for (const [id, found] of knownKinds(await run(client, ADD_KINDS, [ids, kinds]))) known.set(id, found);
}
