import type pg from 'pg';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import { ENTRY_COLUMNS } from './entry-columns.ts';
import type { KindIndexes } from './wanted-kinds.ts';
import type { BlockBounds } from './log-block.ts';

interface Wanted {
  readonly recordId: number;
  readonly kindIndexes: KindIndexes;
  readonly bounds: BlockBounds;
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
const FIRST_KIND = 7;

const BOUNDS = `e.record_id = $1 and e.timestamp >= $4::timestamptz and e.timestamp <= $2::timestamptz
    and (e.timestamp, e.id) <= ($2::timestamptz, $3::uuid)`;

const PART = (kind: string): string => `select ${ENTRY_COLUMNS('e')}
  from log_entry e
  where ${BOUNDS} ${kind}`;

const NEWEST_FIRST = 'order by timestamp desc, id desc offset $5::bigint limit $6::bigint';

/** The requested entries, up to the byte limit of a page. */
const PAGE = (entries: string): string => `select ${ENTRY_COLUMNS('p')}
  from ${rowsThatFit({
    from: `(${entries} ${NEWEST_FIRST})`,
    order: 'p.timestamp desc, p.id desc',
    bytes: 'octet_length(p.message)',
  })} p
  order by timestamp desc, id desc`;

const READ_ENTRIES: Statement = { name: 'read_log_entries', text: PAGE(PART('')) };

const READ_OF_ONE: Statement = {
  name: 'read_log_entries_of_one_kind',
  text: PAGE(PART(`and e.kind = $${FIRST_KIND}`)),
};

/** Merges the ordered entries of each kind, without a sort. */
const readMerged = (kinds: number): Statement => {
  const part = (kind: number): string => `(${PART(`and e.kind = $${FIRST_KIND + kind}`)}
    order by e.timestamp desc, e.id desc limit $5::bigint + $6::bigint)`;
  const parts = Array.from({ length: kinds }, (_, kind) => part(kind));
  return { name: `read_log_entries_of_${kinds}_kinds`, text: PAGE(parts.join(' union all ')) };
};

/** The statements by number of kinds. */
const READ_KINDS = [READ_OF_ONE, ...Array.from({ length: MAX_MERGED - 1 }, (_, i) => readMerged(i + 2))];

const READ_OF_MANY: Statement = {
  name: 'read_log_entries_of_many_kinds',
  text: PAGE(`select ${ENTRY_COLUMNS('e')}
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

/** Reads entries, newest first, from a block on towards older ones. */
export function readEntries(client: pg.ClientBase, wanted: Wanted): Promise<readonly Cells[]> {
  const { recordId, kindIndexes, bounds, earliest, skip, limit } = wanted;
  const last = new Date(bounds.to - 1).toISOString();
  const parameters = [recordId, last, bounds.lastId, new Date(earliest).toISOString(), skip, limit];
  if (kindIndexes === null) return run(client, READ_ENTRIES, parameters);
  const statement = READ_KINDS[kindIndexes.length - 1];
  return statement === undefined
    ? run(client, READ_OF_MANY, [...parameters, kindIndexes])
    : run(client, statement, [...parameters, ...kindIndexes]);
}
