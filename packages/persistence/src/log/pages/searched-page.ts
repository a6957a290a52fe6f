import {
  isStorable,
  searchTooLong,
  type DayCount,
  type EntryKey,
  type LogEntry,
  type LogFilter,
  type LogRef,
  type Page,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns, numberAt } from '../../postgres/columns.ts';
import { rowsThatFit } from '../../postgres/rows-that-fit.ts';
import { run, type Cells, type Parameter, type Statement } from '../../postgres/statement.ts';
import { isTimeout } from '../../postgres/translate-error.ts';
import { momentText } from './clamp-moment.ts';
import {
  ENTRY,
  ENTRY_COLUMNS,
  entryOf,
  KEY,
  KEY_COLUMNS,
  type PageOfEntries,
} from '../entries/entry-columns.ts';
import type { Kinds } from '../entries/kinds.ts';
import { OWN_LOG } from '../../entities/families-in-sql.ts';

/** The conditions of a search. `SOME_KINDS` also checks the source and type of entries whose words are not predefined. */
const HITS = (kinds: string): string => `from log_entry e
    where e.record_id = $1 and ${OWN_LOG('$1', '$2')}
      and e.timestamp > $3::timestamptz and e.timestamp < $4::timestamptz
      and ($5::uuid is null or e.instance_id = $5)
      and ($6::text is null or searched(e.message) collate search_collation ilike searched($6))
      ${kinds}`;

const EVERY_KIND = HITS('');

const SOME_KINDS = HITS(`and e.kind = any ($9::integer[])
      and (e.source_type is null or (
        ($10::text is null or split_part(e.source_type, ' ', 1) = $10)
        and ($11::text[] is null or split_part(e.source_type, ' ', 2) = any ($11::text[]))
      ))`);

const NEWEST_FIRST = 'order by timestamp desc, id desc offset $7::bigint limit $8::bigint';

interface Search {
  readonly every: Statement;
  readonly ofKinds: Statement;
}

function searchOf(name: string, textOf: (hits: string) => string): Search {
  return {
    every: { name, text: textOf(EVERY_KIND) },
    ofKinds: { name: `${name}_of_kinds`, text: textOf(SOME_KINDS) },
  };
}

/** More days than are ever retained. */
const DAYS_MAX = 1000;

const DAY = columns((row): DayCount => ({
  day: row.date(`date_trunc('day', e.timestamp, 'UTC')`).getTime(),
  count: row.number('count(*)'),
}));

/** Searches by reading all entries, and counts the matches. */
const ENTRIES = searchOf(
  'search_log_entries',
  (hits) => `with hit as materialized (
    select e.timestamp, e.id
    ${hits}
  ),
  page as (select * from hit ${NEWEST_FIRST})
  select ${ENTRY_COLUMNS('e')}, (select count(*) from hit)
  from (select) one
  left join ${rowsThatFit({
    from: `(
      select ${ENTRY_COLUMNS('e')}
      from page join log_entry e on e.record_id = $1 and e.timestamp = page.timestamp and e.id = page.id
    )`,
    order: 'p.timestamp desc, p.id desc',
    bytes: 'octet_length(p.message)',
  })} e on true
  order by e.timestamp desc, e.id desc`,
);

/** Searches by reading the newest entries until there are enough matches. */
const KEYS = searchOf(
  'search_log_keys',
  (hits) => `select ${KEY_COLUMNS('e')}
    ${hits} ${NEWEST_FIRST}`,
);

const BY_DAY = searchOf(
  'count_searched_log_entries_by_day',
  (hits) => `select ${DAY.sql} ${hits} group by 1 order by 1 desc offset $7::bigint limit $8::bigint`,
);

/** Counts the matches that precede a key in a listing. */
const BEFORE = searchOf(
  'count_searched_log_entries',
  (hits) => `select count(*) ${hits} and (e.timestamp, e.id) > ($7::timestamptz, $8::uuid)`,
);

/** Reads a page that needs a scan of all entries, within a time limit. */
export async function searchedPage(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  wanted: PageOfEntries,
): Promise<Page<LogEntry>> {
  const { limit, offset } = wanted.page;
  const rows = await runSearch(client, ENTRIES, record, kinds, { ...wanted, more: [offset, limit] });
  const items = rows.flatMap((row) => ENTRY.readOrNull(row) ?? []).map((entry) => entryOf(entry, record));
  const [first] = rows;
  return { count: first === undefined ? 0 : numberAt(first, ENTRY.names.length), items };
}

/** Finds the keys of the newest matches, within a time limit. */
export async function searchedKeys(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  wanted: PageOfEntries,
): Promise<readonly EntryKey[]> {
  const { limit, offset } = wanted.page;
  const rows = await runSearch(client, KEYS, record, kinds, { ...wanted, more: [offset, limit] });
  return rows.map((row) => KEY.read(row));
}

/** Counts the matches per day, newest first, within a time limit. Days without matches are left out. */
export async function searchedDays(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  filter: LogFilter,
): Promise<readonly DayCount[]> {
  const rows = await runSearch(client, BY_DAY, record, kinds, { filter, more: [0, DAYS_MAX] });
  return rows.map((row) => DAY.read(row));
}

/** Counts the matches that precede this entry in a listing, within a time limit. */
export async function searchedCountBefore(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter, key }: { readonly filter: LogFilter; readonly key: EntryKey },
): Promise<number> {
  const more = [key.timestamp.toISOString(), key.id];
  const [row] = await runSearch(client, BEFORE, record, kinds, { filter, more });
  return row === undefined ? 0 : numberAt(row, 0);
}

interface Searched {
  readonly filter: LogFilter;
  /** The parameters of this statement after the common parameters. */
  readonly more: readonly Parameter[];
}

async function runSearch(
  client: pg.ClientBase,
  { every, ofKinds }: Search,
  record: LogRef,
  kinds: Kinds,
  { filter, more }: Searched,
): Promise<readonly Cells[]> {
  const { types, source, instanceId, after, before, search: text } = filter;
  if (text !== null && !isStorable(text)) return [];
  const conditions = [instanceId, text === null ? null : `%${escapeWildcards(text)}%`];
  const span = [after ? momentText(after) : '-infinity', before ? momentText(before) : 'infinity'];
  const parameters = [record.id, record.projectId, ...span, ...conditions, ...more];
  const words = [kinds, source, types.length === 0 ? null : types];
  const searching =
    kinds === null ? run(client, every, parameters) : run(client, ofKinds, [...parameters, ...words]);
  return searching.catch((error: unknown) => {
    throw isTimeout(error) ? searchTooLong(filter, error) : error;
  });
}

function escapeWildcards(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
