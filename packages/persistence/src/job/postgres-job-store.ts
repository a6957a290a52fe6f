import type { Job, JobStore, RecordRef } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { tracedStatement } from '../postgres/traced-statement.ts';
import { translated } from '../postgres/translate-error.ts';
import { cancelJob } from './cancel-job.ts';
import { listJobs } from './list-jobs.ts';
import { queueJob, queueOnce } from './queue-job.ts';
import type { JobRow } from '../entities/job.row.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function postgresJobStore(
  database: Pick<Database, 'entities' | 'pool' | 'limitSlow' | 'limitPages'>,
): JobStore {
  const { entities } = database;
  return {
    queue: (job, precondition, patience) => queueJob(database, { job, precondition, patience }),

    queueOnce: (order) => queueOnce(database, order),

    find: ({ projectId, family, id: recordId }, id) =>
      translated(
        tracedStatement('find_job', async () => {
          if (!UUID.test(id)) return null;
          const where = { id, record: { id: recordId, family: { project: projectId, family } } };
          const { em, JobRow } = await entities();
          const row = await em.findOne(JobRow, where);
          return row && jobOf(row, { projectId, family, id: recordId });
        }),
      ),

    page: (record, filter, page) => listJobs(database, record, filter, page),

    cancel: async (record, id, author, patience) =>
      UUID.test(id) ? cancelJob(database, record, id, author, patience) : null,
  };
}

function jobOf({ actorKeyId, actorLabel, ...row }: JobRow, record: RecordRef): Job {
  const { id, work, state, attempts, error, requestId, createdAt, startedAt, finishedAt } = row;
  return {
    id,
    record,
    work,
    state,
    attempts,
    error,
    actor: { keyId: actorKeyId, label: actorLabel },
    requestId,
    createdAt,
    startedAt,
    finishedAt,
  };
}
