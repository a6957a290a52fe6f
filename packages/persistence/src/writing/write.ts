import { insertEntries, type Entries } from './history-entries.ts';

/**
 * A change to records, their histories, or the versions of their families. Every statement that makes such changes is built from
 * this. A test checks that the functions in `schema/functions` have the same parts.
 */
interface Write {
  /** Queries that run first, by name. */
  readonly first?: Queries;
  /** The changed records, which are then in the query `written`. */
  readonly update?: Update;
  /** The entries for the histories of the records; null if the change is in no history. */
  readonly entries: Entries | null;
  /** The versions of the families to increment; null for none. */
  readonly increments: VersionsToIncrement | null;
  /** The condition of the families `f`. Defaults to the families of the query `written`. */
  readonly of?: string;
  /** Further queries, by name. */
  readonly also?: Queries;
  /** The main query, which may read all other queries. */
  readonly result: string;
}

type Queries = Readonly<Record<string, string>>;

/**
 * `family_version` alone if only data related to the records changes, such as rates, plugins and jobs; also `list_version` if the
 * records or their owners change; all three if their order changes.
 */
export type VersionsToIncrement = 'family_version' | 'list_version' | 'order_version';

const FAMILY_VERSION = 'family_version = f.family_version + 1';
const LIST_VERSION = `${FAMILY_VERSION}, list_version = f.list_version + 1, changed_xid = pg_current_xact_id()::text::bigint`;
export const INCREMENTS: Readonly<Record<VersionsToIncrement, string>> = {
  family_version: FAMILY_VERSION,
  list_version: LIST_VERSION,
  order_version: `${LIST_VERSION}, order_version = f.family_version + 1`,
};

/** The condition for the families of the query `written`. */
export const OF_WRITTEN = '(f.project_id, f.family) in (select w.project_id, w.family from written w)';

/** Returns the statement of a write. An earlier statement of its transaction must have locked the rows of the families. */
export function write({
  first = {},
  update,
  entries,
  increments,
  of = OF_WRITTEN,
  also = {},
  result,
}: Write): string {
  const queries = {
    ...(update !== undefined && { written: updated(update, increments) }),
    ...(entries !== null && { logged: insertEntries(entries) }),
    ...(increments !== null && {
      incremented: `update config_family f set ${INCREMENTS[increments]} where ${of}`,
    }),
    ...also,
  };
  const texts = [
    ...Object.entries(first).map(([name, sql]) => `${name} as materialized (\n    ${sql}\n  )`),
    ...Object.entries(queries).map(([name, sql]) => `${name} as (\n    ${sql}\n  )`),
  ];
  return `with ${texts.join(',\n  ')}\n  ${result}`;
}

interface Update {
  /** The assignments except the versions. Undefined if the record itself does not change. */
  readonly set?: string;
  /** The tables to join with the record `r`. */
  readonly from: string;
  readonly where: string;
  /** Columns of `written` after the `id`, `project_id` and `family` of the record. */
  readonly returning?: string;
}

function updated({ set, from, where, returning }: Update, increments: VersionsToIncrement | null): string {
  const assignments = [
    set ?? [],
    set !== undefined && increments !== null && increments !== 'family_version'
      ? 'version = r.version + 1'
      : [],
    increments === null ? [] : NEXT_VERSION,
  ];
  return `update config_record r set ${assignments.flat().join(', ')}
    from ${from}
    where ${where}
    returning r.id, r.project_id, r.family${returning === undefined ? '' : `, ${returning}`}`;
}

/** Assigns the family version that results from this statement. */
const NEXT_VERSION = `family_version = (select f.family_version + 1 from config_family f where f.project_id = r.project_id and f.family = r.family)`;
