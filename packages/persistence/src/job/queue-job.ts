import {
  checkPrecondition,
  notFound,
  tooManyJobs,
  tooManyKept,
  type ConfigRecord,
  type QueuedJob,
  type Once,
  type KeyedJob,
  type RecordRef,
} from '@plugin-config/domain';
import { placeOf } from '../configuration/configurations.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { lockTimeout } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The current configuration of the record in a kept response. */
const CURRENT = columns((row) => ({
  id: row.number('present_id'),
  plugin: row.number('present_plugin'),
  formerPlugins: row.numbers('present_former_plugins'),
  pluginVersion: row.numberOrNull('present_plugin_version'),
  config: row.textOrNull('present_config'),
}));

const QUEUED = columns((row) => ({
  rejected: row.textOrNull('rejected'),
  version: row.number('version'),
  kept: row.jsonOrNull('response') as KeptQueuedJob | null,
  digest: row.textOrNull('digest'),
  origin: row.textOrNull('origin'),
  present: row.allOrNull(CURRENT),
  pluginInfo: row.textOrNull('plugin_info'),
  oldestMs: row.numberOrNull('oldest_ms'),
}));

/** A kept response, with dates as text. Leaves out the configuration and the plugin, which may become secret. */
interface KeptQueuedJob extends Pick<QueuedJob, 'jobId'> {
  readonly record: Omit<ConfigRecord, 'createdAt' | 'updatedAt' | 'config' | 'pluginInfo'> &
    Record<'createdAt' | 'updatedAt', string>;
}

/** Sets the lock timeout before the function starts, since the parameters of a call are evaluated first. */
const SET_LOCK_TIMEOUT = `set_config('lock_timeout', coalesce($15, current_setting('lock_timeout')), true)`;

const QUEUE_JOB: Statement = {
  name: 'queue_job',
  text: `select ${QUEUED.sql} from queue_job(case when ${SET_LOCK_TIMEOUT} <> '' then $1::bigint end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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
  const queued = await send(database, { ...request, once: { key, response } });
  const { rejected, version, digest, origin, oldestMs } = queued;
  const value = await keptResponse(database, request.job.record, queued);
  if (value !== null) return { value, digest: digest ?? '', origin: origin ?? '', isFirst: false };
  if (rejected === 'too_many_kept') throw tooManyKept(oldestMs ?? 0);
  checkPrecondition(request.precondition, version);
  if (rejected === 'too_many_jobs') throw tooManyJobs();
  return { value: response, digest: key.digest, origin: key.origin, isFirst: true };
}

/** Runs the function, which waits for the lock of the family. */
async function send(
  { pool, configurations }: Queueing,
  { job, precondition, deadline, once }: QueueRequest,
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
    createdAt.toISOString(),
    actor.keyId,
    actor.label,
    requestId,
    once?.key.name ?? null,
    once?.key.digest ?? null,
    once?.key.origin ?? null,
    once && JSON.stringify(keptFields(once.response)),
  ];
  const timeout = deadline === undefined ? null : lockTimeout(deadline);
  const [row] = await run(pool, QUEUE_JOB, [...values, timeout]);
  if (row === undefined) throw notFound();
  return QUEUED.read(row);
}

function keptFields({ jobId, record }: QueuedJob): object {
  const { config: _config, pluginInfo: _pluginInfo, ...kept } = record;
  return { jobId, record: kept };
}

/** Returns the response to the first request with the current configuration and plugin; null if none is kept. */
async function keptResponse(
  { pool, configurations }: Queueing,
  { projectId }: RecordRef,
  { kept, present, pluginInfo }: Queued,
): Promise<QueuedJob | null> {
  if (kept === null || present === null) return null;
  const owner = { ...present, projectId };
  const masker = await configurations.masker(pool, present.config === null ? [] : [owner]);
  const config = masker.record(owner, present.config);
  const { createdAt, updatedAt } = kept.record;
  const dates = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
  return { jobId: kept.jobId, record: { ...kept.record, ...dates, config, pluginInfo } };
}
