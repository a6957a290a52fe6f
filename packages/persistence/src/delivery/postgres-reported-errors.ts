import {
  COUNTED_MAX,
  type Family,
  type NamedError,
  type ReportedError,
  type ReportedErrors,
} from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { pluginSubject, PROJECT_SUBJECT, RECORD_SUBJECT } from '../project/subject-columns.ts';

const REPORTED = columns((row): ReportedError => ({
  recordId: row.number('e.record_id'),
  error: row.text('e.error'),
  at: row.date('e.timestamp'),
}));

const LISTED = columns((row) => ({
  item: row.allOrNull(REPORTED),
  count: row.number('(select count(*) from known)'),
}));

/**
 * Reads the error texts of the records on the page only. If the latest error was postponed because the family is locked, the
 * record shows an earlier error with the time of the latest.
 */
const ERROR_PAGE = prepared('page_of_errors')`with known as (
    select r.id as record_id, e.timestamp
    from config_record r join error_report e on e.record_id = r.id
    where r.project_id = $1 and r.family = $2 and r.error is not null and not r.deleted
      and ($3::bigint is null or r.id = $3)
  )
  select ${LISTED.sql}
  from (select) one
  left join ${rowsThatFit({
    from: `(
      select k.record_id, k.timestamp, r.error
      from (select * from known k order by k.timestamp desc, k.record_id desc limit $4 offset $5) k
      join config_record r on r.id = k.record_id
    )`,
    order: 'p.timestamp desc, p.record_id desc',
    bytes: 'octet_length(p.error)',
  })} e on true
  order by e.timestamp desc, e.record_id desc`;

const PLUGIN_SUBJECT = pluginSubject('r.plugin');

const NAMED = columns((row): NamedError => ({
  ...row.all(REPORTED),
  family: row.text('r.family') as Family,
  project: row.all(PROJECT_SUBJECT),
  record: row.all(RECORD_SUBJECT),
  plugin: row.all(PLUGIN_SUBJECT),
}));

const LISTED_OF_ALL = columns((row) => ({
  item: row.allOrNull(NAMED),
  count: row.number('(select count(*) from counted)'),
  found: row.number('(select count(*) from chosen)'),
}));

const FAILING = `r.error is not null and not r.deleted and exists (select from project p where p.id = r.project_id)`;

/** Starts with the errors in the order of their times or, for a plugin, with its records: either may be rare among the other. */
function errorsOfAll(plugin: number | null): Statement {
  const from =
    plugin === null
      ? `error_report e join config_record r on r.id = e.record_id where e.error is not null and ${FAILING}`
      : `failing r cross join lateral (
        select e.* from error_report e where e.record_id = r.id and e.error is not null limit 1
      ) e where true`;
  const failing = `failing as materialized (select r.id, r.error from config_record r where r.plugin = $4 and ${FAILING}),
  `;
  return {
    name: '',
    text: `with ${plugin === null ? '' : failing}counted as (select from ${from} limit ${COUNTED_MAX}),
  chosen as materialized (
    select e.record_id, e.timestamp, r.error from ${from} and (e.timestamp, e.record_id) < ($1::timestamptz, $2::bigint)
    order by e.timestamp desc, e.record_id desc limit $3::bigint + 1
  )
  select ${LISTED_OF_ALL.sql}
  from (select) one
  left join (
    ${rowsThatFit({ from: 'chosen', order: 'p.timestamp desc, p.record_id desc', bytes: 'octet_length(p.error)' })} e
    join config_record r on r.id = e.record_id
    join project p on p.id = r.project_id
    left join plugin g on g.id = r.plugin
  ) on true
  order by e.timestamp desc, e.record_id desc`,
  };
}

/** The place after which the first page begins. */
const NEWEST = ['infinity', Number.MAX_SAFE_INTEGER] as const;

export function postgresReportedErrors({ pool }: Pick<Database, 'pool'>): ReportedErrors {
  const page = { statement: ERROR_PAGE, listed: LISTED };
  return {
    page: ({ projectId, family }, recordId, { limit, offset }) =>
      readPage(pool, page, [projectId, family, recordId, limit, offset]),

    pageOfAll: async ({ limit, after, plugin }) => {
      const start = after === null ? NEWEST : [after.at.toISOString(), after.recordId];
      const parameters = [...start, limit, ...(plugin === null ? [] : [plugin])];
      const rows = (await run(pool, errorsOfAll(plugin), parameters)).map((row) => LISTED_OF_ALL.read(row));
      const items = rows.flatMap(({ item }) => item ?? []).slice(0, limit);
      return { count: rows[0]?.count ?? 0, items, hasMore: (rows[0]?.found ?? 0) > items.length };
    },
  };
}
