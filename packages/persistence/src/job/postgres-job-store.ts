import { itemsThatFit, type JobStore, type ListedJob, type RecordRef } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { cancelJob } from './cancel-job.ts';
import { queueJob, queueOnce } from './queue-job.ts';
import type { JobRow } from '../entities/job.row.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const NEWEST_FIRST = { orderBy: { createdAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const;

export function postgresJobStore(
  database: Pick<EncryptedDatabase, 'entities' | 'pool' | 'configurations'>,
): JobStore {
  const { entities } = database;
  return {
    queue: (job, precondition, deadline) => queueJob(database, { job, precondition, deadline }),

    queueOnce: (request) => queueOnce(database, request),

    find: async (record, id) => {
      if (!UUID.test(id)) return null;
      return entities('find_job', async ({ em, JobRow }) => {
        const row = await em.findOne(JobRow, { id, ...ofRecord(record) }, { exclude: ['work'] });
        return row && jobOf(row, record);
      });
    },

    page: (record, { state }, { limit, offset }) =>
      entities('list_jobs', async ({ em, JobRow }) => {
        const where = { ...ofRecord(record), ...(state !== null && { state }) };
        const sizes = { ...NEWEST_FIRST, limit, offset, fields: ['id', 'errorBytes'] } as const;
        const [sized, count] = await em.findAndCount(JobRow, where, sizes);
        const ids = itemsThatFit(sized, ({ errorBytes }) => errorBytes).map(({ id }) => id);
        const rows = await em.find(JobRow, { id: ids }, { ...NEWEST_FIRST, exclude: ['work'] });
        return { count, items: rows.map((row) => jobOf(row, record)) };
      }),

    cancel: async (record, id, author, deadline) =>
      UUID.test(id) ? cancelJob(database, record, id, author, deadline) : null,
  };
}

function ofRecord({ projectId, family, id }: RecordRef) {
  return { record: { id, family: { project: projectId, family } } };
}

type ListedRow = Omit<ListedJob, 'record' | 'actor'> & Pick<JobRow, 'actorKeyId' | 'actorLabel'>;

function jobOf(
  { actorKeyId, actorLabel, ...row }: ListedRow,
  { projectId, family, id: recordId }: RecordRef,
): ListedJob {
  const record = { projectId, family, id: recordId };
  const { id, state, attempts, error, requestId, createdAt, startedAt, finishedAt } = row;
  const actor = { keyId: actorKeyId, label: actorLabel };
  return { id, record, state, attempts, error, actor, requestId, createdAt, startedAt, finishedAt };
}
