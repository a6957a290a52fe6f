import type { ClaimedJob, ListedJob, LockedJob } from '@plugin-config/domain';
import type pg from 'pg';
import { columns, numberAt } from '../postgres/columns.ts';
import type { Configurations } from '../configuration/configurations.ts';
import { RECORD } from '../record/record-columns.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { readRegistration } from '../plugin/read-registration.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** Locks the plugin of the record and others in shared mode, which keeps their registrations unchanged. */
const LOCK_PLUGINS: Statement = {
  name: 'lock_plugins_of_job',
  text: `select p.plugin, pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin)
  from (
    select r.plugin from config_record r where r.id = $1 union select unnest($2::integer[]) order by 1
  ) p`,
};

/** Also locks the key, which makes a concurrent revocation wait for the end of the transaction. */
const LOCKED = columns((row) => ({
  record: row.all(RECORD),
  isKeyRevoked: row.flag(
    `coalesce((select k.revoked_at is not null from api_key k where k.id = j.actor_key_id for key share), false)`,
  ),
  at: row.date('clock_timestamp()::timestamptz(3)'),
}));

/** Locks the job if the claim is current. */
const LOCK_JOB: Statement = {
  name: 'lock_job',
  text: `select ${LOCKED.sql}
  from job j
  join config_record r on r.id = j.record_id
  left join plugin i on i.id = r.plugin
  where j.id = $1 and j.project_id = $2 and j.state = 'running' and j.claims = $3
  for no key update of j`,
};

/** Locks plugins until the transaction ends and returns their ids. Like every writer, call it before locking a family. */
export async function lockPlugins(
  client: pg.ClientBase,
  { record }: ListedJob,
  others: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const rows = await run(client, LOCK_PLUGINS, [record.id, [...others]]);
  return new Set(rows.map((row) => numberAt(row, 0)));
}

/** Locks the family and the job until the transaction ends. Returns null if the claim is not current, or the project is deleted. */
export async function lockJob(
  client: pg.ClientBase,
  job: ClaimedJob,
  configurations: Configurations,
): Promise<LockedJob | null> {
  if (!(await lockFamilies(client, [job.record]))) return null;
  const [row] = await run(client, LOCK_JOB, [job.id, job.record.projectId, job.claim]);
  if (row === undefined) return null;
  const { record: stored, isKeyRevoked, at } = LOCKED.read(row);
  const [record] = await configurations.mask(client, [stored]);
  if (record === undefined) return null;
  return { record, isKeyRevoked, at, registration: (plugin) => readRegistration(client, plugin) };
}
