import {
  checkPrecondition,
  laneText,
  notFound,
  tooManyChanges,
  tooManyJobs,
  tooManyKeptResponses,
  UNFINISHED_JOBS_MAX,
  type Job,
  type Precondition,
  type QueuedJob,
  type QueueOptions,
} from '@plugin-config/domain';
import { placeOf } from '../configuration/configurations.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { lockTimeout } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { keptRecord, withoutSecrets } from '../record/kept-responses.ts';

const QUEUED = columns((row) => ({
  rejected: row.textOrNull('rejected'),
  version: row.number('version'),
  oldestMs: row.numberOrNull('oldest_ms'),
}));

/** Sets the lock timeout before the function starts, since the parameters of a call are evaluated first. */
const SET_LOCK_TIMEOUT = `set_config('lock_timeout', coalesce($16, current_setting('lock_timeout')), true)`;

const QUEUE_JOB = prepared('queue_job')`
  select ${QUEUED.sql} from queue_job(case when ${SET_LOCK_TIMEOUT} <> '' then $1::bigint end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $17, $18, $19, $20)`;

type Queued = ReturnType<typeof QUEUED.read>;

type Queueing = Pick<EncryptedDatabase, 'pool' | 'configurations'>;

/** Returns the response that is kept under the key; null if the job was queued. */
export async function queueJob(
  database: Queueing,
  job: Job,
  precondition: Precondition,
  options: QueueOptions,
): Promise<QueuedJob | null> {
  const { rejected, version, oldestMs } = await send(database, job, precondition, options);
  if (rejected === 'kept') {
    const { pool, configurations } = database;
    const kept = await keptRecord<QueuedJob>(pool, configurations, { once: options.keep?.key });
    return kept ?? justExpired();
  }
  if (rejected === 'too_many_kept') throw tooManyKeptResponses(oldestMs ?? 0);
  checkPrecondition(precondition, version);
  if (rejected === 'too_many_jobs') throw tooManyJobs();
  return null;
}

function justExpired(): never {
  throw tooManyChanges({ retryAfterSeconds: 1 });
}

/** Runs the function, which waits for the lock of the family. */
async function send(
  { pool, configurations }: Queueing,
  job: Job,
  precondition: Precondition,
  { deadline, keep }: QueueOptions,
): Promise<Queued> {
  const { id, record, work, actor, requestId, createdAt } = job;
  const encrypt = await configurations.encrypter(pool, [record.projectId]);
  const values = [
    record.projectId,
    record.family,
    record.id,
    precondition,
    id,
    encrypt(placeOf(record, 'job.work'), JSON.stringify(work)),
    UNFINISHED_JOBS_MAX,
    createdAt.toISOString(),
    actor.keyId,
    actor.label,
    actor.subject === undefined ? null : JSON.stringify(actor.subject),
    requestId,
    keep?.key.name ?? null,
    keep?.key.digest ?? null,
    keep === undefined ? null : JSON.stringify(withoutSecrets(keep.response)),
  ];
  const timeout = deadline === undefined ? null : lockTimeout(deadline);
  const { plugin, type, timeoutSeconds } = job;
  const lane = plugin === null || type === null ? null : laneText({ ...record, plugin, type });
  const [row] = await run(pool, QUEUE_JOB, [...values, timeout, plugin, type, timeoutSeconds, lane]);
  if (row === undefined) throw notFound();
  return QUEUED.read(row);
}
