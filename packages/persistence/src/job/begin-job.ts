import type { RecordChange, RunningJob, Task } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { JOB } from './job-columns.ts';

const BEGUN = columns((row) => ({ job: row.all(JOB), work: row.text('j.work') }));

/** Locks the task, so the job is not cancelled at the same time. */
const BEGIN_JOB = prepared('begin_job')`with claimed as (
    select from task t where t.id = $1 and t.attempts = $2 for no key update
  )
  update job j set state = 'running', attempts = j.attempts + 1, started_at = statement_timestamp()
  from config_record r, claimed
  where j.id = $3 and j.project_id = $4 and j.finished_at is null and r.id = j.record_id
  returning ${BEGUN.sql}`;

export async function beginJob(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  task: Task,
): Promise<RunningJob | null> {
  const [row] = await run(pool, BEGIN_JOB, [task.id, task.attempts, task.payload, task.projectId]);
  if (row === undefined) return null;
  const { job, work } = BEGUN.read(row);
  const change = await configurations
    .decryptJob<RecordChange>(pool, job.record, 'job.work', work)
    .catch(errorOf);
  return { ...job, task, change };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
