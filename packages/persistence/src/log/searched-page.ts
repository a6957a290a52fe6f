import { DomainError, isStorable, type LogEntry, type LogFilter, type Page } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/cells.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { FAMILIES_WITH_LOG } from '../schema/rows/families-in-sql.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { clampMoment } from './clamp-moment.ts';
import { ENTRY, ENTRY_COLUMNS, entryOf, type LogOfRecord, type PageOfEntries } from './entry-columns.ts';
import type { KindIndexes } from './wanted-kinds.ts';

const QUERY_CANCELED = '57014';

/**
 * Searches by reading every entry. With kinds, it reads only those, and checks the source and type of entries with a
 * shared kind.
 */
const searchStatement = (name: string, kinds: string): Statement => ({
  name,
  text: `with hit as materialized (
    select e.timestamp, e.id
    from log_entry e
    where e.record_id = $1
      and exists (select from config_record r where r.id = $1 and r.project_id = $2 and r.family in (${FAMILIES_WITH_LOG}))
      and e.timestamp > $3::timestamptz and e.timestamp < $4::timestamptz
      and ($5::uuid is null or e.instance_id = $5)
      and ($6::text is null or e.message collate search_collation ilike $6)
      ${kinds}
  ),
  page as (select * from hit order by timestamp desc, id desc offset $7::bigint limit $8::bigint)
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
});

const SEARCH = searchStatement('search_log_entries', '');

const SEARCH_KINDS = searchStatement(
  'search_log_entries_of_kinds',
  `and e.kind = any ($9::integer[])
      and (e.source_type is null or (
        ($10::text is null or split_part(e.source_type, ' ', 1) = $10)
        and ($11::text[] is null or split_part(e.source_type, ' ', 2) = any ($11::text[]))
      ))`,
);

/** Reads a page that needs a scan of all entries, within a time limit. */
export async function searchedPage(
  client: pg.ClientBase,
  log: LogOfRecord,
  kindIndexes: KindIndexes,
  { filter, page: { limit, offset } }: PageOfEntries,
): Promise<Page<LogEntry>> {
  const { types, source, instanceId, after, before, search } = filter;
  if (search !== null && !isStorable(search)) return { count: 0, items: [] };
  const conditions = [instanceId, search === null ? null : `%${escapeWildcards(search)}%`];
  const span = [momentOf(after) ?? '-infinity', momentOf(before) ?? 'infinity'];
  const parameters = [log.id, log.projectId, ...span, ...conditions, offset, limit];
  const ofKinds = [kindIndexes, source, types.length === 0 ? null : types];
  const rows = await unlessTooSlow(
    filter,
    kindIndexes === null
      ? run(client, SEARCH, parameters)
      : run(client, SEARCH_KINDS, [...parameters, ...ofKinds]),
  );
  const items = rows.flatMap((row) => ENTRY.readOrNull(row) ?? []).map((entry) => entryOf(entry, log));
  const [first] = rows;
  return { count: first === undefined ? 0 : numberAt(first, ENTRY.names.length), items };
}

function momentOf(date: Date | null): string | null {
  return date && new Date(clampMoment(date.getTime())).toISOString();
}

function escapeWildcards(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

async function unlessTooSlow<T>(filter: LogFilter, searching: Promise<T>): Promise<T> {
  try {
    return await searching;
  } catch (error) {
    throw isTimeout(error) ? tooLong(filter, error) : error;
  }
}

function isTimeout(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === QUERY_CANCELED;
}

function tooLong({ search, instanceId, types }: LogFilter, cause: unknown): DomainError {
  const isOfKinds = search === null && instanceId === null;
  return new DomainError('invalid_input', 'The search takes too long; narrow it with after and before.', {
    attr: isOfKinds ? (types.length > 0 ? 'type_filter' : 'source') : 'search',
    cause,
  });
}
