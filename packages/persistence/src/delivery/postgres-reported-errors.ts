import type { ReportedError, ReportedErrors } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import type { Statement } from '../postgres/statement.ts';

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
const ERROR_PAGE: Statement = {
  name: 'page_of_errors',
  text: `with known as (
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
  order by e.timestamp desc, e.record_id desc`,
};

export function postgresReportedErrors({ pool }: Pick<Database, 'pool'>): ReportedErrors {
  const page = { statement: ERROR_PAGE, listed: LISTED };
  return {
    page: ({ projectId, family }, recordId, { limit, offset }) =>
      readPage(pool, page, [projectId, family, recordId, limit, offset]),
  };
}
