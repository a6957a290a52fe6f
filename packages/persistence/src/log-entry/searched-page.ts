import { DomainError, isStorable, type LogEntry, type LogFilter, type Page, type PageRequest } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';
import { ENTRY_COLUMNS, entryAt } from './entry-columns.ts';

/** The server gives up first. */
const GRACE_MS = 2_000;
const QUERY_CANCELED = '57014';

const SEARCH: Statement = {
  name: 'search_log_entries',
  text: `with hit as materialized (
    select e.timestamp, e.id
    from log_entry e
    where e.record_id = $1
      and exists (select from config_record r where r.id = $1 and r.project_id = $2 and r.family = 'plugin_configs')
      and e.timestamp > $3::timestamptz and e.timestamp < $4::timestamptz
      and (cardinality($5::text[]) = 0 or e.type = any ($5::text[]))
      and ($6::text is null or e.source = $6)
      and ($7::uuid is null or e.instance_id = $7)
      and ($8::text is null or e.message ilike $8)
  ),
  page as (select * from hit order by timestamp desc, id desc offset $9::bigint limit $10::bigint)
  select (select count(*) from hit), ${ENTRY_COLUMNS('e')}
  from (select) one
  left join (page p join log_entry e on e.record_id = $1 and e.timestamp = p.timestamp and e.id = p.id) on true
  order by e.timestamp desc, e.id desc`,
};

/** A page of what only reading every entry can find, within its time. */
export async function searchedPage(
  client: pg.ClientBase,
  record: { readonly projectId: number; readonly id: number },
  filter: LogFilter,
  { limit, offset, timeoutMs }: PageRequest & { readonly timeoutMs: number },
): Promise<Page<LogEntry>> {
  const { types, source, instanceId, after, before, search } = filter;
  if (search !== null && !isStorable(search)) return { count: 0, items: [] };
  const conditions = [types, source, instanceId, search === null ? null : `%${literally(search)}%`];
  const span = [after?.toISOString() ?? '-infinity', before?.toISOString() ?? 'infinity'];
  const statement = { ...SEARCH, timeoutMs: timeoutMs + GRACE_MS };
  const rows = await told(run(client, statement, [record.id, record.projectId, ...span, ...conditions, offset, limit]));
  const [first] = rows;
  if (first === undefined) return { count: 0, items: [] };
  const items = first[1] === null ? [] : rows.map((row) => entryAt(row, 1, record));
  return { count: numberAt(first, 0), items };
}

function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

async function told<T>(searching: Promise<T>): Promise<T> {
  try {
    return await searching;
  } catch (error) {
    throw isTimeout(error) ? tooLong(error) : error;
  }
}

function isTimeout(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === QUERY_CANCELED;
}

function tooLong(cause: unknown): DomainError {
  return new DomainError('invalid_input', 'The search takes too long; narrow it with after and before.', {
    attr: 'search',
    cause,
  });
}
