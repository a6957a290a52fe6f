import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { isShared, nameOf, sharedNameOf, withPlaces, type Kind, type LogKinds } from './kinds.ts';

const KINDS = columns((row) => ({
  recordId: row.number('record_id'),
  kinds: kindsIn(row.text(`array_to_string(kinds, ',')`)),
}));

const FIND_KINDS: Statement = {
  name: 'find_log_kinds',
  text: `select ${KINDS.sql} from log_kind where record_id = any ($1::bigint[])`,
};

/** Holds the kinds of these records until the commit. */
const HOLD_KINDS: Statement = {
  name: 'hold_log_kinds',
  text: `insert into log_kind as k (record_id, kinds) select r.id, '{}' from unnest($1::bigint[]) r (id)
  on conflict (record_id) do update set kinds = k.kinds
  returning ${KINDS.sql}`,
};

const SET_KINDS: Statement = {
  name: 'set_log_kinds',
  text: `update log_kind k set kinds = t.kinds::text[]
  from unnest($1::bigint[], $2::text[]) t (record_id, kinds)
  where k.record_id = t.record_id`,
};

export async function findKinds(client: pg.ClientBase, recordId: number): Promise<LogKinds> {
  const [row] = await run(client, FIND_KINDS, [[recordId]]);
  return row === undefined ? [] : KINDS.read(row).kinds;
}

export interface KindedEntry extends Kind {
  readonly recordId: number;
}

export interface KindPlace {
  readonly place: number;
  readonly isShared: boolean;
}

type PlacesOfRecord = ReadonlyMap<string, KindPlace>;

/** Where each entry's kind stands among those of its record. Takes up the kinds that are new. */
export async function placeKinds(
  client: pg.ClientBase,
  entries: readonly KindedEntry[],
): Promise<(entry: KindedEntry) => KindPlace> {
  const ids = [...new Set(entries.map(({ recordId }) => recordId))];
  const places = new Map<number, PlacesOfRecord>();
  for (const row of await run(client, FIND_KINDS, [ids])) {
    const { recordId, kinds } = KINDS.read(row);
    places.set(recordId, placesIn(kinds));
  }
  const unplaced = unplacedKinds(entries, places);
  if (unplaced.size > 0) {
    for (const [id, kinds] of await takeUp(client, unplaced)) places.set(id, placesIn(kinds));
  }
  return (entry) => {
    const place = placeOf(entry, places.get(entry.recordId));
    if (place === undefined) throw new Error(`No place for the kind ${nameOf(entry)}.`);
    return place;
  };
}

function placesIn(kinds: LogKinds): PlacesOfRecord {
  return new Map(kinds.map((name, place) => [name, { place, isShared: isShared(name) }]));
}

function placeOf(kind: Kind, places: PlacesOfRecord | undefined): KindPlace | undefined {
  return places?.get(nameOf(kind)) ?? places?.get(sharedNameOf(kind));
}

function unplacedKinds(
  entries: readonly KindedEntry[],
  places: ReadonlyMap<number, PlacesOfRecord>,
): ReadonlyMap<number, ReadonlySet<string>> {
  const unplaced = new Map<number, Set<string>>();
  for (const entry of entries) {
    if (placeOf(entry, places.get(entry.recordId)) !== undefined) continue;
    const names = unplaced.get(entry.recordId) ?? new Set();
    unplaced.set(entry.recordId, names.add(nameOf(entry)));
  }
  return unplaced;
}

/** Rare: a record has few kinds, and every one of them is new once. */
async function takeUp(
  client: pg.ClientBase,
  unplaced: ReadonlyMap<number, ReadonlySet<string>>,
): Promise<ReadonlyMap<number, LogKinds>> {
  const ids = [...unplaced.keys()].toSorted((a, b) => a - b);
  const taken = new Map<number, LogKinds>();
  for (const row of await run(client, HOLD_KINDS, [ids])) {
    const { recordId, kinds } = KINDS.read(row);
    taken.set(recordId, withPlaces(kinds, unplaced.get(recordId) ?? []));
  }
  const kinds = [...taken.values()].map((names) => `{${names.map((name) => `"${name}"`).join(',')}}`);
  await run(client, SET_KINDS, [[...taken.keys()], kinds]);
  return taken;
}

function kindsIn(names: string): LogKinds {
  return names === '' ? [] : names.split(',');
}
