import type pg from 'pg';
import { columns } from '../../postgres/columns.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import { isShared, kindName, sharedKindName, addKinds, type Kind, type LogKinds } from './kinds.ts';
import { OWN_LOG } from './own-log.ts';

const KINDS = columns((row) => ({
  recordId: row.number('record_id'),
  kinds: kindsIn(row.text(`array_to_string(kinds, ',')`)),
}));

const FIND_KINDS: Statement = {
  name: 'find_log_kinds',
  text: `select ${KINDS.sql} from log_kind where record_id = any ($1::bigint[])`,
};

const FIND_OWN_KINDS: Statement = {
  name: 'find_log_kinds_of_own_record',
  text: `select ${KINDS.sql} from log_kind where record_id = $1 and ${OWN_LOG('$1', '$2')}`,
};

/** Locks the kinds of these records until the commit. */
const LOCK_KINDS: Statement = {
  name: 'lock_log_kinds',
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

/** The kinds of a log; none under another project. */
export async function findKinds(
  client: pg.ClientBase,
  { projectId, id }: { readonly projectId: number; readonly id: number },
): Promise<LogKinds> {
  const [row] = await run(client, FIND_OWN_KINDS, [id, projectId]);
  return row === undefined ? [] : KINDS.read(row).kinds;
}

export interface KindedEntry extends Kind {
  readonly recordId: number;
}

export interface KindIndex {
  readonly index: number;
  readonly isShared: boolean;
}

type KindsOfRecord = ReadonlyMap<string, KindIndex>;

/** Returns a function that gives the index of the kind of an entry. Stores new kinds. */
export async function indexKinds(
  client: pg.ClientBase,
  entries: readonly KindedEntry[],
): Promise<(entry: KindedEntry) => KindIndex> {
  const ids = [...new Set(entries.map(({ recordId }) => recordId))];
  const kindsByRecord = new Map<number, KindsOfRecord>();
  for (const row of await run(client, FIND_KINDS, [ids])) {
    const { recordId, kinds } = KINDS.read(row);
    kindsByRecord.set(recordId, indexesIn(kinds));
  }
  const newKinds = newKindsOf(entries, kindsByRecord);
  if (newKinds.size > 0) {
    for (const [id, kinds] of await storeNewKinds(client, newKinds)) kindsByRecord.set(id, indexesIn(kinds));
  }
  return (entry) => {
    const index = indexOfKind(entry, kindsByRecord.get(entry.recordId));
    if (index === undefined) throw new Error(`The kind ${kindName(entry)} has no index.`);
    return index;
  };
}

function indexesIn(kinds: LogKinds): KindsOfRecord {
  return new Map(kinds.map((name, index) => [name, { index, isShared: isShared(name) }]));
}

function indexOfKind(kind: Kind, kindsByRecord: KindsOfRecord | undefined): KindIndex | undefined {
  return kindsByRecord?.get(kindName(kind)) ?? kindsByRecord?.get(sharedKindName(kind));
}

function newKindsOf(
  entries: readonly KindedEntry[],
  kindsByRecord: ReadonlyMap<number, KindsOfRecord>,
): ReadonlyMap<number, ReadonlySet<string>> {
  const newKinds = new Map<number, Set<string>>();
  for (const entry of entries) {
    if (indexOfKind(entry, kindsByRecord.get(entry.recordId)) !== undefined) continue;
    const names = newKinds.get(entry.recordId) ?? new Set();
    newKinds.set(entry.recordId, names.add(kindName(entry)));
  }
  return newKinds;
}

/** Stores new kinds. Rare: a record has few kinds, and each is new only once. */
async function storeNewKinds(
  client: pg.ClientBase,
  newKinds: ReadonlyMap<number, ReadonlySet<string>>,
): Promise<ReadonlyMap<number, LogKinds>> {
  const ids = [...newKinds.keys()].toSorted((a, b) => a - b);
  const stored = new Map<number, LogKinds>();
  for (const row of await run(client, LOCK_KINDS, [ids])) {
    const { recordId, kinds } = KINDS.read(row);
    stored.set(recordId, addKinds(kinds, newKinds.get(recordId) ?? []));
  }
  const kinds = [...stored.values()].map((names) => `{${names.map((name) => `"${name}"`).join(',')}}`);
  await run(client, SET_KINDS, [[...stored.keys()], kinds]);
  return stored;
}

function kindsIn(names: string): LogKinds {
  return names === '' ? [] : names.split(',');
}
