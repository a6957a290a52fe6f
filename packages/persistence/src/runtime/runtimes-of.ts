import { columns } from '../postgres/columns.ts';
import { RECOVERED_AT } from './postgres-project-feed.ts';

const OWN = [
  'instance',
  'plugin_ids',
  'status',
  'error',
  'failed',
  'failed_ids',
  'labels',
  'plugins',
  'version_since',
  'first_seen_at',
  'last_seen_at',
];

/** Only the failed records of this project: a host serves several, whose readers must not see each other's. */
const failedOf = (project: string): string => `(
      select coalesce(jsonb_agg(e - 'projectId'), '[]')::text from jsonb_array_elements(h.failed::jsonb) e
      where (e ->> 'projectId')::bigint = ${project}
    )`;

/** Whether a host has read the last change of a family `f`, and the registrations of its plugins. */
const HAS_READ_ALL = `h.snapshot is not null and h.last_seen_at > ${RECOVERED_AT}
      and pg_visible_in_snapshot(f.changed_xid::text::xid8, h.snapshot::pg_snapshot)
      and not exists (
        select from plugin p join config_record r on r.plugin = p.id
        where p.registry_version > h.registry_version
          and r.project_id = f.project_id and r.family = f.family and r.enabled and not r.deleted
      )`;

/** SQL for whether a host serves the family of a row. */
export const servesFamily = (host: string, row: string): string =>
  `${host}.family = ${row}.family and ${row}.project_id % ${host}.shard_of = ${host}.shard_index
      and (${host}.project_ids = '{}' or ${row}.project_id = any (${host}.project_ids))`;

/**
 * SQL for the runtimes of a project and the hosts that serve it. A host has no version. It shows the project its failure only if
 * a record of the project failed, or none in particular.
 */
export const runtimesOf = (project: string): string => `(
    select t.family, t.version, false as has_read_all, ${OWN.map((name) => `t.${name}`).join(', ')}
    from runtime_instance t where t.project_id = ${project}
    union all
    select h.family, null, ${HAS_READ_ALL}, h.instance, h.plugin_ids,
      case when h.failed = '[]' or o.failed <> '[]' then h.status else 'applied' end,
      case when h.failed = '[]' then h.error end,
      o.failed, h.failed_ids, h.labels, h.plugins, h.version_since, h.first_seen_at, h.last_seen_at
    from config_family f
    join runtime_host h on ${servesFamily('h', 'f')}
    cross join lateral (select ${failedOf('f.project_id')} as failed) o
    where f.project_id = ${project}
  )`;

/** Whether a runtime has the version of the family, or has read it. */
export const CURRENCY = columns((row) => ({
  version: row.textOrNull('t.version'),
  hasReadAll: row.flag('t.has_read_all'),
}));
