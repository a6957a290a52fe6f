import {
  CHECK_UNCLAIMED_MS,
  JOB_LIMITS,
  type Json,
  type LockedPluginJob,
  type NewActivity,
  type PluginJobEnd,
  type PluginJobRef,
} from '@plugin-config/domain';
import type pg from 'pg';
import { placeOf } from '../configuration/configurations.ts';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { endJob } from '../job/end-job.ts';
import { JOB, NO_RECORD, OWN_FAMILY } from '../job/job-columns.ts';
import { openNext } from '../job/open-next.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import { lockFamilies } from '../writing/lock-families.ts';

/** Whether a lease is over. A clock that steps back a little does not end it; one that was far ahead has left it. */
export const IS_LEASE_OVER = `(t.lease_until <= statement_timestamp()
  or t.lease_until > statement_timestamp() + 2 * ${JOB_LIMITS.leaseSeconds.max} * interval '1 second')`;

const LOCK_TASK = prepared('lock_task_of_plugin_job')`select from task where id = $1 for no key update`;

const LOCKED = columns((row) => ({
  job: row.all(JOB),
  output: row.textOrNull('j.output'),
  currentPlugin: row.numberOrNull(
    'case when j.record_id is null then j.plugin when not c.deleted then c.plugin end',
  ),
  isLeaseOver: row.flag(`coalesce(${IS_LEASE_OVER}, false)`),
  isUnclaimed: row.flag(
    `coalesce(j.open_at <= statement_timestamp() - interval '1 millisecond' * case
      when j.record_id is null then least($3::float8, ${CHECK_UNCLAIMED_MS}) else $3::float8 end, false)`,
  ),
  at: row.date('clock_timestamp()::timestamptz(3)'),
}));

const LOCK_JOB = prepared('lock_plugin_job')`select ${LOCKED.sql}
  from job j
  left join lateral (select * from config_record c where c.id = j.record_id limit 1) c on true
  left join lateral (select * from task t where t.id = j.task_id limit 1) t on true
  ${OWN_FAMILY}
  where j.id = $1 and j.project_id = $2
  for no key update of j`;

const REMOVE_TASK = prepared('remove_task_of_plugin_job')`delete from task where id = $1`;

const PUT_OFF_TASK = prepared('put_off_plugin_job')`
  update task set lease_until = null, due_at = statement_timestamp() + $2 * interval '1 millisecond' where id = $1`;

interface Settling {
  readonly job: PluginJobRef;
  readonly unclaimedMs: number;
  readonly decide: (locked: LockedPluginJob) => PluginJobEnd | null;
}

/** A time that is never over. */
const NEVER_MS = 1e12;

export function settlePluginJob(
  { pool, configurations }: Pick<EncryptedStore, 'pool' | 'configurations'>,
  settling: Settling,
): Promise<PluginJobEnd | null> {
  return retryWhenBusy(() =>
    inTransaction(pool, BEGIN_ROW_BY_ROW, (client) => settle(client, { configurations }, settling)),
  );
}

/** Locks the family, the task and the job, in the same order as every writer. */
async function settle(
  client: pg.ClientBase,
  { configurations }: Pick<EncryptedStore, 'configurations'>,
  { job: ref, unclaimedMs, decide }: Settling,
): Promise<PluginJobEnd | null> {
  const { projectId, recordId, taskId, id } = ref;
  if (!(await lockFamilies(client, [ref]))) return null;
  await run(client, LOCK_TASK, [taskId]);
  const [row] = await run(client, LOCK_JOB, [id, projectId, Math.min(unclaimedMs, NEVER_MS)]);
  if (row === undefined) return null;
  const { output: stored, at, ...locked } = LOCKED.read(row);
  const { record } = locked.job;
  const output =
    stored === null ? null : await configurations.decryptJob<Json>(client, record, 'job.output', stored);
  const end = decide({ ...locked, output });
  if (end === null) return null;
  const encrypt = end.output === null ? null : await configurations.encrypter(client, [projectId]);
  await endJob(client, locked.job, {
    ...end,
    attempts: locked.job.attempts,
    activity: recordId === null ? [] : entriesOf(locked, end, at),
    at,
    output: encrypt === null ? null : encrypt(placeOf(record, 'job.output'), JSON.stringify(end.output)),
  });
  if (end.dueInMs !== null) await run(client, PUT_OFF_TASK, [taskId, end.dueInMs]);
  else {
    await run(client, REMOVE_TASK, [taskId]);
    await openNext(client, projectId, recordId ?? NO_RECORD);
  }
  return end;
}

function entriesOf(
  { job: { actor, requestId } }: Pick<LockedPluginJob, 'job'>,
  { state }: PluginJobEnd,
  at: Date,
): readonly NewActivity[] {
  return state === 'queued' ? [] : [{ actor, requestId, at, activity: `job_${state}`, changes: [] }];
}
