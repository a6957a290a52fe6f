import type { JobFilter, ListedJob, Page, PageRequest, RecordRef } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { JOB_WITHOUT_WORK } from './job-columns.ts';

const MATCHING =
  'job j where j.record_id = $1 and exists (select from own) and ($6::text is null or j.state = $6)';

const LISTED = columns((row) => ({
  job: row.allOrNull(JOB_WITHOUT_WORK),
  count: row.number(`(select count(*) from ${MATCHING})`),
}));

/** Unnamed, so that each page has its own plan: no plan suits records with any number of jobs. */
export const LIST_JOBS: Statement = {
  name: '',
  text: `with own as (
    select from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3
  )
  select ${LISTED.sql}
  from (select) one
  left join ${rowsThatFit({
    from: `(
      select ${JOB_WITHOUT_WORK.sql} from ${MATCHING} order by j.created_at desc, j.id desc limit $4 offset $5
    )`,
    order: 'p.created_at desc, p.id desc',
    bytes: 'coalesce(octet_length(p.error), 0)',
  })} j on true
  order by j.created_at desc, j.id desc`,
};

export async function listJobs(
  { pool, limitPages }: Pick<Database, 'pool' | 'limitPages'>,
  { projectId, family, id }: RecordRef,
  { state }: JobFilter,
  { limit, offset }: PageRequest,
): Promise<Page<ListedJob>> {
  const parameters = [id, projectId, family, limit, offset, state];
  const rows = await limitPages(projectId, () => run(pool, LIST_JOBS, parameters));
  const listed = rows.map((row) => LISTED.read(row));
  const record: RecordRef = { projectId, family, id };
  return {
    count: listed[0]?.count ?? 0,
    items: listed.flatMap(({ job }) => (job === null ? [] : { ...job, record })),
  };
}
