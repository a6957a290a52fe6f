import {
  CHECK_UNCLAIMED_MS,
  grantsPlugin,
  grantsProject,
  laneText,
  projectNotFound,
  tooManyJobs,
  UNFINISHED_JOBS_MAX,
  type Family,
  type Json,
  type JobWithOutput,
  type PluginJobRef,
  type PluginJobStore,
} from '@plugin-config/domain';
import { placeOf } from '../configuration/configurations.ts';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { isJobId, JOB, NO_RECORD, OWN_FAMILY } from '../job/job-columns.ts';
import { columns, flagAt } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { claimPluginJobs } from './claim-jobs.ts';
import { laneTurns } from './lane-turns.ts';
import { openLanes } from './open-lanes.ts';
import { IS_LEASE_OVER, settlePluginJob } from './settle-plugin-job.ts';

const REF = columns((row): PluginJobRef => ({
  id: row.text('j.id'),
  projectId: row.number('j.project_id'),
  family: row.text('j.family') as Family,
  recordId: row.numberOrNull('j.record_id'),
  plugin: row.number('j.plugin'),
  taskId: row.number('j.task_id'),
}));

const FIND = prepared('find_plugin_job')`select ${REF.sql} from job j join project p on p.id = j.project_id
  where j.id = $1 and j.family = $2`;

const RENEWED = columns((row) => ({
  cancelled: row.flag('j.cancelling'),
  leaseExpiresAt: row.date('n.lease_until'),
}));

const RENEW = prepared('renew_plugin_job')`with renewed as (
    update task t set lease_until = least(
      statement_timestamp() + $4 * interval '1 second', j.started_at + j.timeout_seconds * interval '1 second'
    )
    from job j
    where t.id = $1 and j.id = $2 and j.state = 'running' and j.instance = $3 and t.lease_until > '-infinity'
      and (j.record_id is null or (select c.plugin = j.plugin and not c.deleted from config_record c where c.id = j.record_id))
      and j.started_at + j.timeout_seconds * interval '1 second' > statement_timestamp()
    returning t.lease_until
  )
  update job j set progress = coalesce($5, j.progress), message = coalesce($6, j.message)
  from renewed n where j.id = $2 and j.state = 'running' and j.instance = $3
  returning ${RENEWED.sql}`;

const OVERDUE_MAX = 100;

const OVERDUE = prepared('overdue_plugin_jobs')`
  (select ${REF.sql} from task t join job j on j.id = t.payload::uuid join project p on p.id = j.project_id
   where t.kind = 'plugin_job' and t.lease_until is not null and ${IS_LEASE_OVER} limit ${OVERDUE_MAX})
  union all
  (select ${REF.sql} from job j join project p on p.id = j.project_id
   where j.open_at <= statement_timestamp() - $1 * interval '1 millisecond' order by j.open_at, j.id limit ${OVERDUE_MAX})
  union
  (select ${REF.sql} from job j join project p on p.id = j.project_id
   where j.record_id is null and j.open_at <= statement_timestamp() - ${CHECK_UNCLAIMED_MS} * interval '1 millisecond'
   order by j.open_at, j.id limit ${OVERDUE_MAX})`;

/** Returns whether there are too many, and no row if the project is deleted. The lock keeps it from being deleted at the same time. */
const QUEUE_CHECK = prepared('queue_check')`with fitting as materialized (
    select nextval(pg_get_serial_sequence('task', 'id')) as id, (
      select count(*) from (select from task t where t.project_id = $2 and t.kind = 'plugin_job' limit ${UNFINISHED_JOBS_MAX}) c
    ) < ${UNFINISHED_JOBS_MAX} as fits
    from config_family f where f.project_id = $2 and f.family = $3 for key share
  ),
  queued as (
    insert into job (
      id, project_id, family, work, state, attempts, created_at, actor_key_id, actor_label, actor_subject, request_id,
      plugin, type, timeout_seconds, task_id, open_at
    )
    select $1, $2, $3, $4, 'queued', 0, $5, $6, $7, $8::json, $9, $10, $11, $12, f.id, clock_timestamp() from fitting f where f.fits
  ),
  added as (
    insert into task (id, kind, project_id, account_id, key, payload, lane)
    select f.id, 'plugin_job', $2, (select coalesce(k.account_id, k.id) from api_key k where k.id = $6), -f.id, $1::text, $13
    from fitting f where f.fits
  )
  select f.fits from fitting f`;

const CHECK_ROW = columns((row) => ({ job: row.all(JOB), output: row.textOrNull('j.output') }));

const FIND_CHECK = prepared('find_check')`select ${CHECK_ROW.sql}
  from job j ${OWN_FAMILY}
  where j.id = $1 and j.project_id = $2 and j.family = $3 and j.record_id is null`;

const READ_OUTPUT = prepared('read_output_of_job')`
  select j.output from job j where j.id = $1 and j.project_id = $2`;

export function postgresPluginJobStore(database: EncryptedStore): PluginJobStore {
  const { pool, configurations } = database;
  const decrypted = async (
    record: { readonly id: number; readonly projectId: number },
    output: string | null,
  ): Promise<Json> =>
    output === null ? null : configurations.decryptJob<Json>(pool, record, 'job.output', output);
  const turns = laneTurns();
  return {
    open: openLanes(pool, turns),

    claim: (claim) => claimPluginJobs(database, turns, claim),

    find: async (family, id, key) => {
      if (!isJobId(id)) return null;
      const [row] = await run(pool, FIND, [id, family]);
      const found = row === undefined ? null : REF.read(row);
      const isGranted =
        found !== null && grantsProject(key, found.projectId) && grantsPlugin(key, found.plugin);
      return isGranted ? found : null;
    },

    renew: async ({ taskId, id }, { instance, leaseSeconds, progress, message }) => {
      const [row] = await run(pool, RENEW, [taskId, id, instance, leaseSeconds, progress, message]);
      return row === undefined ? null : RENEWED.read(row);
    },

    settle: (job, unclaimedMs, decide) => settlePluginJob(database, { job, unclaimedMs, decide }),

    overdue: async (unclaimedMs) => (await run(pool, OVERDUE, [unclaimedMs])).map((row) => REF.read(row)),

    queueCheck: async (check) => {
      const { id, family: at, work, actor, requestId, createdAt, plugin, type, timeoutSeconds } = check;
      const { projectId, family } = at;
      const encrypt = await configurations.encrypter(pool, [projectId]);
      const place = placeOf({ projectId, id: NO_RECORD }, 'job.work');
      const [row] = await run(pool, QUEUE_CHECK, [
        id,
        projectId,
        family,
        encrypt(place, JSON.stringify(work)),
        createdAt.toISOString(),
        actor.keyId,
        actor.label,
        actor.subject === undefined ? null : JSON.stringify(actor.subject),
        requestId,
        plugin,
        type,
        timeoutSeconds,
        laneText({ family, plugin: Number(plugin), type: String(type) }),
      ]);
      if (row === undefined) throw projectNotFound();
      if (!flagAt(row, 0)) throw tooManyJobs();
    },

    findCheck: async ({ projectId, family }, id): Promise<JobWithOutput | null> => {
      if (!isJobId(id)) return null;
      const [row] = await run(pool, FIND_CHECK, [id, projectId, family]);
      if (row === undefined) return null;
      const { job, output } = CHECK_ROW.read(row);
      return { ...job, output: await decrypted(job.record, output) };
    },

    output: async ({ id, record }) => {
      const [row] = await run(pool, READ_OUTPUT, [id, record.projectId]);
      return decrypted(record, row?.[0] ?? null);
    },
  };
}
