import { DomainError, type LockedJob, type RunningJob, type Settlement } from '@plugin-config/domain';
import type pg from 'pg';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { inTransaction, lockTimeout } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import { postgresConfigurationValues } from '../record/read-configuration.ts';
import { RECORD } from '../record/record-columns.ts';
import { saveRecords } from '../record/save-records.ts';
import { requireStored } from '../record/store-writes.ts';
import { lockTask, settleTask } from '../task/settle-task.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { endJob } from './end-job.ts';

const TRIES = 5;

/** Locks the plugin of the record and others in shared mode, which keeps their registrations unchanged. */
const LOCK_PLUGINS = prepared('lock_plugins_of_job')`
  select p.plugin, pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin)
  from (
    select r.plugin from config_record r where r.id = $1 union select unnest($2::integer[]) order by 1
  ) p`;

/** Locks the key, too: a concurrent revocation waits for the end of the transaction. */
const LOCKED = columns((row) => ({
  record: row.all(RECORD),
  isKeyRevoked: row.flag(
    `coalesce((select k.revoked_at is not null from api_key k where k.id = j.actor_key_id for key share), false)`,
  ),
  at: row.date('clock_timestamp()::timestamptz(3)'),
}));

const LOCK_JOB = prepared('lock_job')`select ${LOCKED.sql}
  from job j
  join config_record r on r.id = j.record_id
  left join plugin i on i.id = r.plugin
  where j.id = $1 and j.project_id = $2
  for no key update of j`;

interface JobToSettle {
  readonly job: RunningJob;
  readonly decide: (locked: LockedJob) => Promise<Settlement>;
}

type Settling = Pick<EncryptedStore, 'pool' | 'configurations'>;

/** Settles a job in one transaction, and retries after a lost race. */
export async function settleJob({ pool, ...rest }: Settling, settling: JobToSettle): Promise<boolean> {
  const plugins = expectedPlugins(settling.job);
  return retryWhenBusy(
    () => inTransaction(pool, BEGIN_ROW_BY_ROW, (client) => settle(client, rest, settling, plugins)),
    { tries: TRIES },
  );
}

/** Returns the plugins to lock before the family. If the job turns out to need another plugin, the retry locks it, too. */
function expectedPlugins({ change }: RunningJob): Set<number> {
  const plugin = change instanceof Error ? undefined : change.plugin;
  return new Set(plugin === undefined ? [] : [plugin]);
}

/**
 * Locks plugins, the family, the task and the job, in the same order as every writer, then stores the settlement. If it changes the record,
 * the version of the record is incremented once, and that of the family twice. Resolves to false if the claim is not current, or
 * the project is deleted.
 */
async function settle(
  client: pg.ClientBase,
  { configurations }: Omit<Settling, 'pool'>,
  { job, decide }: JobToSettle,
  expected: Set<number>,
): Promise<boolean> {
  const lockedPlugins = await run(client, LOCK_PLUGINS, [job.record.id, [...expected]]);
  if (!(await lockFamilies(client, [job.record]))) return false;
  if (!(await lockTask(client, job.task))) return false;
  const [row] = await run(client, LOCK_JOB, [job.id, job.record.projectId]);
  if (row === undefined) return false;
  const { record: stored, isKeyRevoked, at } = LOCKED.read(row);
  const before = await configurations.maskOne(client, stored);
  const registration = async (plugin: number) =>
    (await configurations.registrations.read(client, [plugin]))(plugin);
  const configured = () => postgresConfigurationValues({ pool: client, configurations }).of(before);
  const settlement = await decide({ record: before, isKeyRevoked, at, registration, configured });
  const { write, dueInMs } = settlement;
  const record = write?.after ?? before;
  if (!lockedPlugins.some((cells) => numberAt(cells, 0) === record.plugin)) {
    expected.add(record.plugin);
    throw new DomainError('busy', 'The job attaches a plugin that was not locked.', { retryAfterSeconds: 1 });
  }
  if (write !== null) {
    const waitMs = lockTimeout(undefined);
    const [saved] = await saveRecords(client, [{ ...write, before }], { configurations, waitMs });
    requireStored(saved);
  }
  await endJob(client, job, { ...settlement, at });
  return settleTask(client, job.task, dueInMs === null ? null : { dueInMs });
}
