import type { Family, JobState, RunningJob, Task } from '@plugin-config/domain';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** A job whose change is encrypted. */
interface StoredJob extends Omit<RunningJob, 'change' | 'task'> {
  readonly work: Ciphertext;
}

/** The columns of a job `j` and of its record `r`. */
const JOB = columns((row): StoredJob => ({
  id: row.text('j.id'),
  state: row.text('j.state') as JobState,
  attempts: row.number('j.attempts'),
  error: row.textOrNull('j.error'),
  actor: { keyId: row.numberOrNull('j.actor_key_id'), label: row.text('j.actor_label') },
  requestId: row.textOrNull('j.request_id'),
  createdAt: row.date('j.created_at'),
  startedAt: row.dateOrNull('j.started_at'),
  finishedAt: row.dateOrNull('j.finished_at'),
  work: row.text('j.work'),
  record: {
    projectId: row.number('r.project_id'),
    family: row.text('r.family') as Family,
    id: row.number('r.id'),
  },
}));

/** Locks the task, so that the job is not cancelled at the same time. */
const BEGIN_JOB: Statement = {
  name: 'begin_job',
  text: `with claimed as (
    select from task t where t.id = $1 and t.attempts = $2 for no key update
  )
  update job j set state = 'running', attempts = j.attempts + 1, started_at = statement_timestamp()
  from config_record r, claimed
  where j.id = $3 and j.project_id = $4 and j.finished_at is null and r.id = j.record_id
  returning ${JOB.sql}`,
};

export async function beginJob(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  task: Task,
): Promise<RunningJob | null> {
  const [row] = await run(pool, BEGIN_JOB, [task.id, task.attempts, task.payload, task.projectId]);
  if (row === undefined) return null;
  const { work, ...job } = JOB.read(row);
  const change = await configurations.decryptWork(pool, job.record, work).catch(errorOf);
  return { ...job, task, change };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
