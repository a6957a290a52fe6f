import {
  checkPrecondition,
  notFound,
  tooManyChanges,
  tooManyJobs,
  tooManyKeptResponses,
  UNFINISHED_JOBS_MAX,
  type QueuedJob,
  type Once,
  type KeyedJob,
} from '@plugin-config/domain';
import { placeOf } from '../configuration/configurations.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { lockTimeout } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { readKept, withoutSecrets } from '../record/kept-responses.ts';

const QUEUED = columns((row) => ({
  rejected: row.textOrNull('rejected'),
  version: row.number('version'),
  oldestMs: row.numberOrNull('oldest_ms'),
}));

/** Sets the lock timeout before the function starts, since the parameters of a call are evaluated first. */
const SET_LOCK_TIMEOUT = `set_config('lock_timeout', coalesce($16, current_setting('lock_timeout')), true)`;

const QUEUE_JOB: Statement = {
  name: 'queue_job',
  text: `select ${QUEUED.sql} from queue_job(case when ${SET_LOCK_TIMEOUT} <> '' then $1::bigint end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
};

type Queued = ReturnType<typeof QUEUED.read>;

interface QueueRequest extends Omit<KeyedJob, 'key' | 'response'> {
  readonly once: Pick<KeyedJob, 'key' | 'response'> | null;
}

type Queueing = Pick<EncryptedDatabase, 'pool' | 'configurations'>;

export async function queueJob(database: Queueing, request: Omit<QueueRequest, 'once'>): Promise<void> {
  const { rejected, version } = await send(database, { ...request, once: null });
  checkPrecondition(request.precondition, version);
  if (rejected === 'too_many_jobs') throw tooManyJobs();
}

export async function queueOnce(
  database: Queueing,
  { key, response, ...request }: KeyedJob,
): Promise<Once<QueuedJob>> {
  const { rejected, version, oldestMs } = await send(database, { ...request, once: { key, response } });
  if (rejected === 'kept') {
    const kept = await readKept<QueuedJob>(database.pool, database.configurations, [key.name]);
    return kept.get(key.name) ?? justExpired();
  }
  if (rejected === 'too_many_kept') throw tooManyKeptResponses(oldestMs ?? 0);
  checkPrecondition(request.precondition, version);
  if (rejected === 'too_many_jobs') throw tooManyJobs();
  return { value: response, digest: key.digest, origin: key.origin, isFirst: true };
}

function justExpired(): never {
  throw tooManyChanges({ retryAfterSeconds: 1 });
}

/** Runs the function, which waits for the lock of the family. */
async function send(
  { pool, configurations }: Queueing,
  { job, precondition, deadline, once }: QueueRequest,
): Promise<Queued> {
  const { id, record, change, actor, requestId, createdAt } = job;
  const encrypt = await configurations.encrypter(pool, [record.projectId]);
  const values = [
    record.projectId,
    record.family,
    record.id,
    precondition,
    id,
    encrypt(placeOf(record, 'job.work'), JSON.stringify(change)),
    UNFINISHED_JOBS_MAX,
    createdAt.toISOString(),
    actor.keyId,
    actor.label,
    requestId,
    once?.key.name ?? null,
    once?.key.digest ?? null,
    once?.key.origin ?? null,
    once && JSON.stringify(withoutSecrets(once.response)),
  ];
  const timeout = deadline === undefined ? null : lockTimeout(deadline);
  const [row] = await run(pool, QUEUE_JOB, [...values, timeout]);
  if (row === undefined) throw notFound();
  return QUEUED.read(row);
}
