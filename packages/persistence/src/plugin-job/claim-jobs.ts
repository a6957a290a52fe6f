import {
  laneText,
  type JobClaim,
  type OpenLane,
  type PluginWork,
  type TakenJob,
} from '@plugin-config/domain';
import { fulfilled } from '@plugin-config/flow';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { JOB, OWN_FAMILY } from '../job/job-columns.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_BY_INDEX } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import type { LaneTurns } from './lane-turns.ts';
import { isOpen } from './open-lanes.ts';

const TAKEN = columns((row) => ({
  job: row.all(JOB),
  work: row.text('j.work'),
  externalId: row.textOrNull('p.external_id'),
  pluginSlug: row.textOrNull('i.slug'),
  leaseExpiresAt: row.date('l.lease_until'),
}));

/**
 * Takes the first job of each lane before the second of another. A job that no longer fits its record is not begun: its lease is over
 * at once, so the worker ends it. Jobs are locked by id, like tasks (`CLAIM_TASKS`).
 */
export const CLAIM_JOBS = prepared('claim_plugin_jobs')`with wanted as (
    select w.* from unnest($1::text[], $2::bigint[]) with ordinality as w (lane, project_id, place)
    where exists (select from api_key k where k.id = $3 and k.revoked_at is null)
  ),
  found as (
    select n.id, w.place, row_number() over (partition by w.place order by n.id) as round
    from wanted w cross join lateral (
      select t.id from task t where t.lane = w.lane and t.project_id = w.project_id and ${isOpen('t')} order by t.id limit $4
    ) n
  ),
  chosen as materialized (
    select t.id, t.payload::uuid as job_id from (select * from found order by round, place) f
    cross join lateral (
      select * from task t where t.id = f.id and t.lane is not null and coalesce(t.due_at, t.lease_until) is null
      for no key update skip locked
    ) t
    limit $4
  ),
  begun as (
    update job j set state = 'running', attempts = j.attempts + 1, started_at = statement_timestamp(), instance = $5,
      progress = null, message = null, open_at = null
    where j.id = any (array(select c.job_id from chosen c)) and (j.record_id is null or (
      select not r.deleted and r.plugin = j.plugin from config_record r where r.id = j.record_id
    ))
    returning j.*
  ),
  leased as (
    update task t set attempts = t.attempts + 1, lease_until = coalesce((
      select statement_timestamp() + least($6, b.timeout_seconds) * interval '1 second' from begun b where b.task_id = t.id
    ), '-infinity')
    where t.id = any (array(select c.id from chosen c)) returning t.id, t.lease_until
  )
  select ${TAKEN.sql}
  from begun j
  join leased l on l.id = j.task_id
  cross join lateral (select * from project p where p.id = j.project_id limit 1) p
  left join plugin i on i.id = j.plugin
  ${OWN_FAMILY}
  order by j.task_id`;

type Dependencies = Pick<EncryptedDatabase, 'pool' | 'configurations'>;

export async function claimPluginJobs(
  { pool, configurations }: Dependencies,
  turns: LaneTurns,
  { lanes: given, keyId, limit, instance, leaseSeconds }: JobClaim,
): Promise<readonly TakenJob[]> {
  const lanes = await readableLanes({ pool, configurations }, given);
  const places = [lanes.map(laneText), lanes.map(({ projectId }) => projectId)];
  const rows = await inTransaction(pool, BEGIN_BY_INDEX, (client) =>
    run(client, CLAIM_JOBS, [...places, keyId, limit, instance, leaseSeconds]),
  );
  const found = rows.map((row) => TAKEN.read(row));
  turns.take(lanes, found);
  return fulfilled(
    found.map(async ({ work: text, ...taken }) => {
      const work = await configurations.decryptJob<PluginWork>(pool, taken.job.record, 'job.work', text);
      return { ...taken, work };
    }),
  );
}

/**
 * Leaves out projects whose keys this process lacks: their jobs wait for another process.
 * @throws DomainError `key_missing` if these are all
 */
async function readableLanes(
  { pool, configurations }: Dependencies,
  lanes: readonly OpenLane[],
): Promise<readonly OpenLane[]> {
  // Loads the keys, and decrypts nothing.
  const load = (projectIds: readonly number[]) => configurations.fingerprinter(pool, projectIds);
  const projectIds = [...new Set(lanes.map(({ projectId }) => projectId))];
  const isComplete = await load(projectIds).then(
    () => true,
    () => false,
  );
  if (isComplete) return lanes;
  const readable = new Set(await fulfilled(projectIds.map(async (id) => (await load([id]), id))));
  return lanes.filter(({ projectId }) => readable.has(projectId));
}
