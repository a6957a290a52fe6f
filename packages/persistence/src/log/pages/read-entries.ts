import type { EntryKey, LogFilter, LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { rowsThatFit } from '../../postgres/rows-that-fit.ts';
import { prepared, run, type Cells, type Statement } from '../../postgres/statement.ts';
import { translateTimeout } from '../../postgres/translate-error.ts';
import { KINDS, type Kinds } from '../entries/kinds.ts';
import { OWN_LOG } from '../../entities/families-in-sql.ts';
import { clampMoment } from './clamp-moment.ts';
import { ENTRY_COLUMNS, KEY, KEY_COLUMNS } from '../entries/entry-columns.ts';

interface Wanted {
  readonly record: LogRef;
  readonly kinds: Kinds;
  /** Exclusive. */
  readonly to: number;
  /** The time of the oldest wanted entry. */
  readonly earliest: number;
  readonly skip: number;
  readonly limit: number;
}

/** The number of the parameter with the first kind. */
const FIRST_KIND = 7;

const BOUNDS = `${OWN_LOG('$1', '$6')} and e.record_id = $1
    and e.timestamp >= $3::timestamptz and e.timestamp < $2::timestamptz`;

const NEWEST_FIRST = 'order by timestamp desc, id desc offset $4::bigint limit $5::bigint';

/** The columns to read, and the SQL around the query of the wanted entries. */
interface Form {
  readonly name: string;
  readonly columns: (entry: string) => string;
  readonly select: (entries: string) => string;
}

type StatementFor = (kinds: Kinds) => Statement;

function statementsOf({ name, columns, select }: Form): StatementFor {
  const part = (kind: string): string => `select ${columns('e')}
  from log_entry e
  where ${BOUNDS} ${kind}`;
  const ofOne: Statement = {
    name: `${name}_of_one_kind`,
    text: select(part(`and e.kind = $${FIRST_KIND}`)),
  };
  /** Reads the entries of each kind in index order, and merges them without a sort. */
  const merged = (kinds: number): Statement => {
    const parts = Array.from(
      { length: kinds },
      (_, kind) => `(${part(`and e.kind = $${FIRST_KIND + kind}`)}
    order by e.timestamp desc, e.id desc limit $4::bigint + $5::bigint)`,
    );
    return { name: `${name}_of_${kinds}_kinds`, text: select(parts.join(' union all ')) };
  };
  const every: Statement = { name, text: select(part('')) };
  const ofKinds = [ofOne, ...Array.from({ length: KINDS - 1 }, (_, i) => merged(i + 2))];
  return (kinds) => (kinds === null ? every : (ofKinds[kinds.length - 1] ?? every));
}

/** Reads entries up to the byte limit of a page. */
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

export function readEntries(client: pg.ClientBase, wanted: Wanted): Promise<readonly Cells[]> {
  return read(client, ENTRIES, wanted);
}

/** Reads the keys of entries, newest first. */
export function readKeys(client: pg.ClientBase, wanted: Wanted): Promise<readonly Cells[]> {
  return read(client, KEYS, wanted);
}

/** Reads the keys of the newest entries from an index. */
export async function newestKeys(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter: { after, before }, limit }: { readonly filter: LogFilter; readonly limit: number },
): Promise<readonly EntryKey[]> {
  const to = clampMoment(before?.getTime() ?? Infinity);
  const earliest = clampMoment((after?.getTime() ?? -Infinity) + 1);
  const rows = await readKeys(client, { record, kinds, to, earliest, skip: 0, limit });
  return rows.map((row) => KEY.read(row));
}

function read(
  client: pg.ClientBase,
  statementFor: StatementFor,
  { record, kinds, to, earliest, skip, limit }: Wanted,
): Promise<readonly Cells[]> {
  const bounds = [to, earliest].map((time) => new Date(time).toISOString());
  return run(client, statementFor(kinds), [
    record.id,
    ...bounds,
    skip,
    limit,
    record.projectId,
    ...(kinds ?? []),
  ]);
}

/** Scans the keys of the log in the index, newest first. An index by id would slow down every insert. */
const FIND_KEY = prepared('find_log_key')`select ${KEY.sql}
  from log_entry
  where record_id = $1 and ${OWN_LOG('$1', '$2')} and id = $3::uuid
  order by record_id desc, timestamp desc, id desc limit 1`;

/** Finds the key of the newest entry with this id, within a time limit. */
export async function findKey(client: pg.ClientBase, record: LogRef, id: string): Promise<EntryKey | null> {
  const [row] = await run(client, FIND_KEY, [record.id, record.projectId, id]).catch(
    translateTimeout('timestamp', 'Finding the entry takes too long; give its timestamp.'),
  );
  return row === undefined ? null : KEY.read(row);
}
