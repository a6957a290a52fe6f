import type pg from 'pg';
import { rowsThatFit } from '../../postgres/rows-that-fit.ts';
import { run, type Cells, type Statement } from '../../postgres/statement.ts';
import { ENTRY_COLUMNS, KEY_COLUMNS } from './entry-columns.ts';
import type { KindIndexes } from '../kinds/wanted-kinds.ts';
import type { BlockBounds } from '../blocks/log-block.ts';
import { OWN_LOG } from '../kinds/own-log.ts';

interface Wanted {
  readonly record: { readonly projectId: number; readonly id: number };
  readonly kindIndexes: KindIndexes;
  readonly bounds: Pick<BlockBounds, 'to' | 'lastId'>;
  /** The time of the oldest wanted entry. */
  readonly earliest: number;
  readonly skip: number;
  readonly limit: number;
}

/**
 * Up to this number of kinds, the index ranges of the kinds are read in order and merged. For more, their keys are read
 * and sorted.
 */
const MAX_MERGED = 16;
/** The number of the first kind parameter. */
const FIRST_KIND = 8;

const BOUNDS = `${OWN_LOG('$1', '$7')} and e.record_id = $1
    and e.timestamp >= $4::timestamptz and e.timestamp <= $2::timestamptz
    and (e.timestamp, e.id) <= ($2::timestamptz, $3::uuid)`;

const NEWEST_FIRST = 'order by timestamp desc, id desc offset $5::bigint limit $6::bigint';

/** What is read of the entries, and the SQL that reads it of the wanted ones. */
interface Form {
  readonly name: string;
  readonly columns: (entry: string) => string;
  readonly select: (entries: string) => string;
}

type StatementFor = (kindIndexes: KindIndexes) => Statement;

function statementsOf({ name, columns, select }: Form): StatementFor {
  const part = (kind: string): string => `select ${columns('e')}
  from log_entry e
  where ${BOUNDS} ${kind}`;
  /** Merges the ordered entries of each kind, without a sort. */
  const merged = (kinds: number): Statement => {
    const parts = Array.from(
      { length: kinds },
      (_, kind) => `(${part(`and e.kind = $${FIRST_KIND + kind}`)}
    order by e.timestamp desc, e.id desc limit $5::bigint + $6::bigint)`,
    );
    return { name: `${name}_of_${kinds}_kinds`, text: select(parts.join(' union all ')) };
  };
  const every: Statement = { name, text: select(part('')) };
  const ofOne: Statement = {
    name: `${name}_of_one_kind`,
    text: select(part(`and e.kind = $${FIRST_KIND}`)),
  };
  /** The statements by number of kinds. */
  const ofKinds = [ofOne, ...Array.from({ length: MAX_MERGED - 1 }, (_, i) => merged(i + 2))];
  const ofMany: Statement = {
    name: `${name}_of_many_kinds`,
    text: select(`select ${columns('e')}
  from (
    select key.timestamp, key.id
    from unnest($${FIRST_KIND}::integer[]) k (kind) cross join lateral (
      select e.timestamp, e.id from log_entry e
      where ${BOUNDS} and e.kind = k.kind
      order by e.timestamp desc, e.id desc limit $5::bigint + $6::bigint
    ) key
    order by key.timestamp desc, key.id desc limit $5::bigint + $6::bigint
  ) wanted
  cross join lateral (
    select * from log_entry e
    where e.record_id = $1 and e.timestamp = wanted.timestamp and e.id = wanted.id
    offset 0
  ) e`),
  };
  return (kindIndexes) => (kindIndexes === null ? every : (ofKinds[kindIndexes.length - 1] ?? ofMany));
}

/** The requested entries, up to the byte limit of a page. */
const ENTRIES = statementsOf({
  name: 'read_log_entries',
  columns: ENTRY_COLUMNS,
  select: (entries) => `select ${ENTRY_COLUMNS('p')}
  from ${rowsThatFit({
    from: `(${entries} ${NEWEST_FIRST})`,
    order: 'p.timestamp desc, p.id desc',
    bytes: 'octet_length(p.message)',
  })} p
  order by timestamp desc, id desc`,
});

const KEYS = statementsOf({
  name: 'read_log_keys',
  columns: KEY_COLUMNS,
  select: (entries) => `${entries} ${NEWEST_FIRST}`,
});

/** Reads entries, newest first, from a block on towards older ones. */
export function readEntries(client: pg.ClientBase, wanted: Wanted): Promise<readonly Cells[]> {
  return read(client, ENTRIES, wanted);
}

/** Reads the keys of entries, newest first. */
export function readKeys(client: pg.ClientBase, wanted: Wanted): Promise<readonly Cells[]> {
  return read(client, KEYS, wanted);
}

function read(
  client: pg.ClientBase,
  statementFor: StatementFor,
  { record, kindIndexes, bounds, earliest, skip, limit }: Wanted,
): Promise<readonly Cells[]> {
  const last = new Date(bounds.to - 1).toISOString();
  const parameters = [
    record.id,
    last,
    bounds.lastId,
    new Date(earliest).toISOString(),
    skip,
    limit,
    record.projectId,
  ];
  const statement = statementFor(kindIndexes);
  if (kindIndexes === null) return run(client, statement, parameters);
  const kinds = kindIndexes.length > MAX_MERGED || kindIndexes.length === 0 ? [kindIndexes] : kindIndexes;
  return run(client, statement, [...parameters, ...kinds]);
}
