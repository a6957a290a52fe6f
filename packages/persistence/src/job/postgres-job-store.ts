import type { JobStore } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { readPage } from '../postgres/read-page.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { prepared, run } from '../postgres/statement.ts';
import { recordOfId } from '../record/record-columns.ts';
import { cancelJob } from './cancel-job.ts';
import { isJobId, JOB } from './job-columns.ts';
import { queueJob } from './queue-job.ts';

const OWN = `select r.* from ${recordOfId('$1')} where r.project_id = $2 and r.family = $3`;

const FIND_JOB = prepared('find_job')`
  select ${JOB.sql} from (${OWN}) r join job j on j.record_id = r.id where j.id = $4`;

const OF_RECORD = `from job o where o.record_id = $1 and exists (select from own) and ($6::text is null or o.state = $6)`;

const LISTED = columns((row) => ({
  item: row.allOrNull(JOB),
  count: row.number(`(select count(*) ${OF_RECORD})`),
}));

/** Unnamed to plan each page separately: no plan suits both few and many jobs. */
export const JOB_PAGE = prepared('')`with own as (${OWN})
  select ${LISTED.sql}
  from (select) one
  left join own r on true
  left join ${rowsThatFit({
    from: `(select o.* ${OF_RECORD} order by o.created_at desc, o.id desc limit $4 offset $5)`,
    order: 'p.created_at desc, p.id desc',
    bytes: 'coalesce(octet_length(p.error), 0)',
  })} j on true
  order by j.created_at desc, j.id desc`;

export function postgresJobStore(database: Pick<EncryptedDatabase, 'pool' | 'configurations'>): JobStore {
  const { pool } = database;
  return {
    queue: (job, precondition, options = {}) => queueJob(database, job, precondition, options),

    find: async ({ projectId, family, id: recordId }, id) => {
      if (!isJobId(id)) return null;
      const [row] = await run(pool, FIND_JOB, [recordId, projectId, family, id]);
      return row === undefined ? null : JOB.read(row);
    },

    page: ({ projectId, family, id }, { state }, { limit, offset }) =>
      readPage(pool, { statement: JOB_PAGE, listed: LISTED }, [id, projectId, family, limit, offset, state]),

    cancel: async (record, id, author, deadline) =>
      isJobId(id) ? cancelJob(database, record, id, author, deadline) : null,
  };
}
