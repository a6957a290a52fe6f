import {
  ALL_RECORDS,
  positionAfterPage,
  RECORD_TEXTS,
  slugIn,
  type AtVersion,
  type ChangedFilter,
  type ChangedPage,
  type FamilyCursor,
  type FamilyRef,
  type PageRequest,
  type RecordFilter,
  type RecordPage,
} from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { IS_OUTDATED } from '../configuration/plugin-columns.ts';
import { columns } from '../postgres/columns.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import { NO_VERSIONS, VERSIONS } from './family-versions.ts';
import { INFO_THAT_FITS, RECORD, recordsThatFit } from './record-columns.ts';
import { isVoidCursor } from './void-cursor.ts';

/** The columns of a page, read from its first row. The columns of a record follow. */
const PAGE = columns((row) => ({ versions: row.all(VERSIONS), count: row.number('t.count') }));

const CHANGES = columns((row) => ({
  versions: row.all(VERSIONS),
  isCursorInvalid: row.flag(isVoidCursor({ family: '$1, $2', registryVersion: '$7', position: '$5, $6' })),
  count: row.number('t.count'),
}));

const CHANGED = columns((row) => ({
  id: row.number('r.id'),
  familyVersion: row.number('r.family_version'),
  record: row.all(RECORD),
}));

const EMPTY = { versions: NO_VERSIONS, count: 0, isCursorInvalid: false };

interface Page {
  /** The columns to select from the family `f`, the total `t`, the record `r` and its plugin `i`. */
  readonly select: string;
  /** The condition of the records `r`, whose parameters start at $5. */
  readonly where: string;
  /** The columns of a record that sort the page. */
  readonly order: readonly string[];
  readonly filtersFrom: number;
}

const STATEMENTS = {
  list_records: {
    select: `${PAGE.sql}, ${RECORD.sql}`,
    where: '',
    order: ['position', 'id'],
    filtersFrom: 5,
  },
  list_changed_records: {
    select: `${CHANGES.sql}, ${CHANGED.sql}`,
    // Compares the family version with the cursor first, to skip the scan if the family has not changed.
    where: ` and (
      select c.family_version > $5 or c.family_version = $5 and $6 < ${ALL_RECORDS}
      from config_family c where c.project_id = $1 and c.family = $2
    ) and (r.family_version, r.id) > ($5, $6)`,
    order: ['family_version', 'id'],
    filtersFrom: 8,
  },
} satisfies Readonly<Record<string, Page>>;

const lower = (text: string): string => `lower(${text} collate search_collation)`;

/** The SQL of each filter, by its parameter. Each combination of filters is a separate statement with its own plan. */
const FILTERS = {
  deleted: (at: string) => `r.deleted = ${at}`,
  enabled: (at: string) => `r.enabled = ${at}`,
  plugin: (at: string) => `r.plugin = ${at}`,
  slug: (at: string) => `r.plugin = (select p.id from plugin p where p.slug = ${at})`,
  valid: (at: string) => `r.invalid <> ${at}`,
  outdated: (at: string) => `${IS_OUTDATED} = ${at}`,
  search: (at: string) =>
    `(${RECORD_TEXTS.map((text) => `strpos(${lower(`r.${text}`)}, ${lower(at)}) > 0`).join(' or ')})`,
};

type FilterName = keyof typeof FILTERS;

const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[];

/** Returns the statement for a page of a family's records up to the byte limit, and the number of all matches. */
export function pageStatement(name: keyof typeof STATEMENTS, filters: readonly FilterName[]): Statement {
  const { select, where, order, filtersFrom }: Page = STATEMENTS[name];
  const by = (table: string): string => order.map((column) => `${table}.${column}`).join(', ');
  const narrowed = filters.map((filter, i) => ` and ${FILTERS[filter](`$${i + filtersFrom}`)}`).join('');
  const matching = `config_record r where r.project_id = $1 and r.family = $2${where}${narrowed}`;
  return {
    name: [name, ...filters].join('_by_'),
    text: `select ${select}
  from config_family f
  cross join (select count(*) from ${matching}) t
  left join ${recordsThatFit({
    records: `(select * from ${matching} order by ${by('r')} limit $3 offset $4) r`,
    order: by('p'),
  })} r on true
  left join ${INFO_THAT_FITS} on true
  where f.project_id = $1 and f.family = $2
  order by ${by('r')}`,
  };
}

type Reading = Pick<EncryptedDatabase, 'pool' | 'configurations'>;

interface Request {
  readonly family: FamilyRef;
  readonly filter: ChangedFilter;
  readonly page: PageRequest;
  readonly since?: FamilyCursor;
}

function read(
  { pool }: Reading,
  name: keyof typeof STATEMENTS,
  { family: { projectId, family }, filter, page: { limit, offset }, since }: Request,
): Promise<readonly Cells[]> {
  // The same statement looks up the slug, so the result belongs to the versions it is cached under.
  const { plugin } = filter;
  const wanted = {
    ...filter,
    ...(typeof plugin === 'string' ? { plugin: null, slug: slugIn(plugin) } : { plugin, slug: null }),
  };
  const filters = FILTER_NAMES.filter((each) => wanted[each] !== null);
  const cursor = since === undefined ? [] : [since.familyVersion, since.id, since.registryVersion];
  const values = filters.map((each) => wanted[each]);
  return run(pool, pageStatement(name, filters), [projectId, family, limit, offset, ...cursor, ...values]);
}

export async function listRecords(
  database: Reading,
  family: FamilyRef,
  filter: RecordFilter,
  page: PageRequest,
): Promise<AtVersion<RecordPage>> {
  const rows = await read(database, 'list_records', { family, filter, page });
  const { versions, count } = rows[0] === undefined ? EMPTY : PAGE.read(rows[0]);
  const stored = rows.flatMap((row) => RECORD.readOrNull(row, PAGE.names.length) ?? []);
  const items = await database.configurations.mask(database.pool, stored);
  const { listVersion, ...at } = versions;
  return { ...at, value: { items, count, listVersion } };
}

export async function listChanged(
  database: Reading,
  family: FamilyRef,
  since: FamilyCursor,
  filter: ChangedFilter,
  page: PageRequest,
): Promise<AtVersion<ChangedPage>> {
  const rows = await read(database, 'list_changed_records', { family, filter, page, since });
  const { versions, count, isCursorInvalid } = rows[0] === undefined ? EMPTY : CHANGES.read(rows[0]);
  const last = rows.flatMap((row) => CHANGED.readOrNull(row, CHANGES.names.length) ?? []);
  const stored = last.map(({ record }) => record);
  const items = await database.configurations.mask(database.pool, stored);
  const end = positionAfterPage(versions.familyVersion, { offset: page.offset, count, last }, since);
  const { listVersion, ...at } = versions;
  return { ...at, value: { items, count, listVersion, end, isCursorInvalid } };
}
