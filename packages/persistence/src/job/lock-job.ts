import type { ClaimedJob, LockedJob, Job } from '@plugin-config/domain';
import type pg from 'pg';
import { columns, numberAt } from '../postgres/columns.ts';
import { RECORD } from '../record/record-columns.ts';
import { readSecrets } from '../configuration/sealed-secrets.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { PLUGIN } from '../plugin/plugin-columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** Locks the plugins in shared mode, so that their registrations stay the same: that of the record, and others. */
const LOCK_PLUGINS: Statement = {
  name: 'lock_plugins_of_job',
  text: `select p.plugin, pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin)
  from (
    select r.plugin from config_record r where r.id = $1 union select unnest($2::integer[]) order by 1
  ) p`,
};

/** Locks the key, too: a revocation, which locks it for update, waits for the end of the transaction. */
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

const CONFIGURATION = columns((row) => ({
  secrets: readSecrets(row.json('r.secrets')),
  pluginRevision: row.numberOrNull('p.revision'),
  plugin: row.allOrNull(PLUGIN),
}));

const LOCKED_CONFIGURATION: Statement = {
  name: 'locked_configuration',
  text: `select ${CONFIGURATION.sql}
  from config_record r left join plugin p on p.id = $2
  where r.id = $1`,
};

/** Locks plugins until the transaction ends, before any family, as every writer does. Returns their ids. */
export async function lockPlugins(
  client: pg.ClientBase,
  { record }: Job,
  others: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const rows = await run(client, LOCK_PLUGINS, [record.id, [...others]]);
  return new Set(rows.map((row) => numberAt(row, 0)));
}

/** Locks the family and the job until the transaction ends; null if the claim is not current. */
export async function lockJob(client: pg.ClientBase, job: ClaimedJob): Promise<LockedJob | null> {
  await lockFamilies(client, [job.record]);
  const [row] = await run(client, LOCK_JOB, [job.id, job.record.projectId, job.claim]);
  if (row === undefined) return null;
  const { record, isKeyRevoked, at } = LOCKED.read(row);
  return {
    record,
    isKeyRevoked,
    at,
    configuration: async (plugin) => {
      const [found = []] = await run(client, LOCKED_CONFIGURATION, [record.id, plugin]);
      return { record, ...CONFIGURATION.read(found) };
    },
  };
}
