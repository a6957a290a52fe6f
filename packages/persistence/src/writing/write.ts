import { insertEntries, type Entries } from './history-entries.ts';

/**
 * The one way to change records, their histories, or what their family shows: every such statement of TypeScript is made of
 * this. A test holds the functions in `schema/functions`, which save, create and queue, to the same parts.
 */
interface Write {
  /** What is looked up or written before, by name: `with` queries. */
  readonly first?: Queries;
  /** The records that change. They are in the query `written`. */
  readonly update?: Update;
  /** The entries in the histories of the records; null if what changes is in no history. */
  readonly entries: Entries | null;
  /** What the families show differently from now on; null for nothing. */
  readonly raises: Raise | null;
  /** The condition of the families `f`: unless given, those of the query `written`. */
  readonly of?: string;
  /** What is written besides, by name. */
  readonly also?: Queries;
  /** The end of the statement, which may read all of these queries. */
  readonly result: string;
}

type Queries = Readonly<Record<string, string>>;

/**
 * `answers`: only what is shown beside the records, such as rates, plugins and jobs. `records`: the records themselves.
 * `order`: their positions, too.
 */
export type Raise = 'answers' | 'records' | 'order';

const ANSWERS = 'family_version = f.family_version + 1';
const RECORDS = `${ANSWERS}, list_version = f.list_version + 1`;
export const RAISED: Readonly<Record<Raise, string>> = {
  answers: ANSWERS,
  records: RECORDS,
  order: `${RECORDS}, order_version = f.family_version + 1`,
};

/** The families of the query `written`. */
export const OF_WRITTEN = '(f.project_id, f.family) in (select w.project_id, w.family from written w)';

/** A statement that writes. An earlier statement of its transaction has locked the rows of the families. */
export function write({
  first = {},
  update,
  entries,
  raises,
  of = OF_WRITTEN,
  also = {},
  result,
}: Write): string {
  const queries = {
    ...(update !== undefined && { written: updated(update, raises) }),
    ...(entries !== null && { logged: insertEntries(entries) }),
    ...(raises !== null && { raised: `update config_family f set ${RAISED[raises]} where ${of}` }),
    ...also,
  };
  const texts = [
    ...Object.entries(first).map(([name, sql]) => `${name} as materialized (\n    ${sql}\n  )`),
    ...Object.entries(queries).map(([name, sql]) => `${name} as (\n    ${sql}\n  )`),
  ];
  return `with ${texts.join(',\n  ')}\n  ${result}`;
}

interface Update {
  /** The assignments, beside the version and the family version. Absent if the record stays as it is. */
  readonly set?: string;
  /** The tables beside the record `r`. */
  readonly from: string;
  readonly where: string;
  /** Further columns of `written`, beside the `id`, the `project_id` and the `family` of each record. */
  readonly returning?: string;
}

function updated({ set, from, where, returning }: Update, raises: Raise | null): string {
  const assignments = [
    set ?? [],
    raises === 'records' || raises === 'order' ? 'version = r.version + 1' : [],
    raises === null ? [] : NEXT_VERSION,
  ];
  return `update config_record r set ${assignments.flat().join(', ')}
    from ${from}
    where ${where}
    returning r.id, r.project_id, r.family${returning === undefined ? '' : `, ${returning}`}`;
}

/** The family version that the family gets by this statement. */
const NEXT_VERSION = `family_version = (select f.family_version + 1 from config_family f where f.project_id = r.project_id and f.family = r.family)`;
