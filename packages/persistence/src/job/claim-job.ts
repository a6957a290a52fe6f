import {
  describeStart,
  jobEntries,
  type ClaimOptions,
  type ClaimedJob,
  type Family,
  type JobState,
  type LineWriter,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import { columns, dateAt, numberAt } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { writeOutbox } from './postgres-log-outbox.ts';

const DUE = 'q.due_at <= statement_timestamp() and q.project_id <> all ($1::bigint[])';

export const FIND_DUE_PROJECT: Statement = {
  name: 'find_due_project',
  text: `select statement_timestamp()::timestamptz(3) from job_queue q where ${DUE} limit 1`,
};

const LOCK = `select q.project_id from job_queue q where ${DUE} order by q.due_at limit 1 for no key update`;

/** Locks the first due project that is not locked yet. */
export const LOCK_DUE_PROJECT: Statement = { name: 'lock_due_project', text: `${LOCK} skip locked` };

/** Waits for the first due project if all are locked. It may no longer be due afterwards. */
const WAIT_FOR_DUE_PROJECT: Statement = { name: 'wait_for_due_project', text: LOCK };

/** A job with encrypted work. */
interface StoredJob extends Omit<ClaimedJob, 'work'> {
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
  claim: row.number('j.claims'),
  isKeyRevoked: row.flag(
    'exists (select from api_key k where k.id = j.actor_key_id and k.revoked_at is not null)',
  ),
}));

const CLAIMED = columns((row) => ({ job: row.all(JOB), plugin: row.number('r.plugin') }));

/**
 * Claims the job that has been due longest among the jobs of the locked project whose record has no running job. The project is
 * due again when its next job is, but after all projects that are waiting now. If all due jobs are being settled or wait for a
 * running job, it is due again after a second or when a job ends.
 */
export const CLAIM_JOB: Statement = {
  name: 'claim_job',
  text: `with due as materialized (
    select d.id from job d
    where d.project_id = $1 and d.finished_at is null and d.due_at <= statement_timestamp()
      and d.record_id <> all (array(
        select b.record_id from job b
        where b.project_id = $1 and b.finished_at is null and b.due_at > statement_timestamp() and b.state = 'running'
      ))
    order by d.due_at, d.id limit 1 for no key update skip locked
  ),
  claimed as (
    update job j set
      state = 'running', attempts = j.attempts + 1, claims = j.claims + 1, started_at = $2,
      due_at = statement_timestamp() + $3 * interval '1 millisecond'
    where j.id = (select due.id from due)
    returning j.*
  ),
  turn as (
    update job_queue q set due_at = greatest(
      statement_timestamp() + case when exists (select from due) then '0 s' else '1 s' end::interval,
      coalesce(
        least(
          (select c.due_at from claimed c),
          (
            select d.due_at from job d
            where d.project_id = $1 and d.finished_at is null and d.id is distinct from (select due.id from due)
            order by d.due_at, d.id limit 1
          )
        ),
        'infinity'
      )
    )
    where q.project_id = $1
  )
  select ${CLAIMED.sql} from claimed j join config_record r on r.id = j.record_id`,
};

interface Claiming extends Pick<EncryptedDatabase, 'pool' | 'configurations'>, LineWriter {}

/** Claims a job, and writes a log line about its start to the outbox. Starts no transaction if no project is due. */
export async function claimJob(
  { pool, ...claiming }: Claiming,
  options: ClaimOptions,
): Promise<ClaimedJob | null> {
  for (;;) {
    const [found] = await run(pool, FIND_DUE_PROJECT, [options.except]);
    if (found === undefined) return null;
    const at = dateAt(found, 0);
    const claimed = await inTransaction(pool, BEGIN_ROW_BY_ROW, (client) =>
      claimInNextProject(client, claiming, options, at),
    );
    if (claimed !== null) return claimed;
  }
}

/** Returns null if another worker was faster, or if the project has no due job. */
async function claimInNextProject(
  client: pg.ClientBase,
  { configurations, ...writer }: Omit<Claiming, 'pool'>,
  { leaseMs, except }: ClaimOptions,
  at: Date,
): Promise<ClaimedJob | null> {
  const [free] = await run(client, LOCK_DUE_PROJECT, [except]);
  const [turn] = free === undefined ? await run(client, WAIT_FOR_DUE_PROJECT, [except]) : [free];
  if (turn === undefined) return null;
  const [row] = await run(client, CLAIM_JOB, [numberAt(turn, 0), at.toISOString(), leaseMs]);
  if (row === undefined) return null;
  const { job: stored, plugin } = CLAIMED.read(row);
  const { record: owner, work: ciphertext } = stored;
  const work = await configurations.decryptWork(client, owner, ciphertext).catch(errorOf);
  const job = { ...stored, work };
  const record = { ...job.record, plugin };
  await writeOutbox(client, jobEntries(writer, { record, at, lines: [describeStart(job)] }));
  return job;
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
