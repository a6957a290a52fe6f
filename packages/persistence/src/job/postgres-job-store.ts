import {
  checkPrecondition,
  recordNotFound,
  type Job,
  type JobStore,
  type RecordRef,
} from '@plugin-config/domain';
import { numberAt } from '../postgres/cells.ts';
import { recordOfId } from '../record/record-columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { translated } from '../postgres/translate-error.ts';
import { cancelJob } from './cancel-job.ts';
import { listJobs } from './list-jobs.ts';
import { JobRow } from '../schema/rows/job.row.ts';

/**
 * Locks the family first, as every writer does. Gives the project a turn now. Returns the version of the record,
 * whether or not it meets the precondition.
 */
export const QUEUE_JOB: Statement = {
  name: 'queue_job',
  text: `with family as (
    select f.project_id, f.family from config_family f
    where f.project_id = $1 and f.family = $2 for no key update
  ),
  record as (
    select r.id, r.project_id, r.family, r.version
    from family f
    join ${recordOfId('$3')} on r.project_id = f.project_id and r.family = f.family
  ),
  fitting as (
    select * from record r where $4::bigint[] is null or r.version = any ($4)
  ),
  queued as (
    insert into job (
      id, project_id, record_id, work, state, attempts, created_at, due_at, actor_key_id, actor_label, request_id
    )
    select $5, r.project_id, r.id, $6::json, 'queued', 0, $7, statement_timestamp(), $8, $9, $10 from fitting r
  ),
  due as (
    insert into job_queue as q (project_id, due_at) select r.project_id, statement_timestamp() from fitting r
    on conflict (project_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes)
    select r.id, 'job_queued', $7, $8, $9, $10, '[]' from fitting r
  ),
  raised as (
    update config_family f set revision = f.revision + 1
    from fitting r where f.project_id = r.project_id and f.family = r.family
  )
  select r.version from record r`,
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Waits for the family, so the connections for it are limited per project. */
export function postgresJobStore(
  database: Pick<Database, 'orm' | 'pool' | 'limitSlow' | 'limitPages'>,
): JobStore {
  const { orm, pool, limitSlow } = database;
  return {
    queue: async ({ id, record, work, actor, requestId, createdAt }, precondition, patience) => {
      const author = [createdAt.toISOString(), actor.keyId, actor.label, requestId];
      const values = [
        record.projectId,
        record.family,
        record.id,
        precondition,
        id,
        JSON.stringify(work),
        ...author,
      ];
      const [found] = await limitSlow(record.projectId, () => run(pool, QUEUE_JOB, values), patience);
      if (found === undefined) throw recordNotFound();
      checkPrecondition(precondition, numberAt(found, 0));
    },

    find: ({ projectId, family, id: recordId }, id) =>
      translated(async () => {
        if (!UUID.test(id)) return null;
        const where = { id, record: { id: recordId, family: { project: projectId, family } } };
        const row = await orm.em.fork().findOne(JobRow, where);
        return row && jobOf(row, { projectId, family, id: recordId });
      }),

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
