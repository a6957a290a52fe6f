import type {
  ChangedProject,
  ChangedProjects,
  FeedQuery,
  ProjectFeed,
  Snapshot,
} from '@plugin-config/domain';
import { REGISTRY_VERSION } from '../configuration/registrations.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { prepared, run, type Parameter, type Statement } from '../postgres/statement.ts';
import { recordOfId } from '../record/record-columns.ts';

const PROJECT = columns((row): ChangedProject => ({
  projectId: row.number('q.project_id'),
  externalId: row.textOrNull('q.external_id'),
  transaction: row.number('q.changed_xid'),
  registryVersion: row.number('q.registry_version'),
  listVersion: row.number('q.list_version'),
  lostBy: row.jsonOrNull('q.lost_by') as readonly number[] | null,
}));

const FOUND = columns((row) => ({
  snapshot: row.text('n.snapshot::text'),
  registryVersion: row.number('n.registry_version'),
  recovery: row.number('n.recovery'),
  project: row.allOrNull(PROJECT),
}));

/**
 * The last recovery from a crash, which drops the statistics. A transaction that was rolled back leaves no trace after a crash: a later
 * one gets its number, though earlier snapshots show it as ended.
 */
export const RECOVERED_AT = `(select b.stats_reset from pg_stat_bgwriter b)`;
export const RECOVERY = `(extract(epoch from ${RECOVERED_AT}) * 1000000)::bigint`;

/** The snapshot of the statement itself: no commit can come between it and the read. */
const NOW = `now as materialized (
    select pg_current_snapshot() as snapshot, ${REGISTRY_VERSION} as registry_version,
      ${RECOVERY} as recovery
  )`;

/** The projects of a query: $2 and $4 to $8. A deleted project is also found for the keys in `lostBy`. */
const isAsked = (project: string, lostBy = `'{}'::bigint[]`): string => `${project} > $2::bigint
      and (cardinality($4::bigint[]) = 0 or ${project} = any ($4) or $5::bigint = any (${lostBy}))
      and ${project} % $8::bigint = $7::bigint`;

/** Whether the project of a family `f` has a record for which this holds. $6 are plugins; empty for all. */
const hasRecord = (condition: string): string => `exists (
        select from config_record r where r.project_id = f.project_id and r.family = f.family and ${condition}
      )`;

/** A registration affects the result of enabled records only. */
const IS_ENABLED = 'r.enabled and not r.deleted';

export const ALL_PROJECTS = prepared('all_projects_of_feed')`with ${NOW}
  select ${FOUND.sql}
  from now n
  left join lateral (
    select f.project_id, e.external_id, f.changed_xid, 0 as registry_version, f.list_version, null as lost_by
    from config_family f join project e on e.id = f.project_id
    where f.family = $1 and ${isAsked('f.project_id')}
      and ${hasRecord(`${IS_ENABLED} and (cardinality($6::integer[]) = 0 or r.plugin = any ($6))`)}
    order by f.project_id limit $3
  ) q on true
  order by q.project_id`;

/** Whether a transaction was committed after a snapshot ($9), and before this one: a restored row may have a later number. */
const isChanged = (transaction: string): string => `${transaction} >= $10::bigint
      and not pg_visible_in_snapshot(${transaction}::text::xid8, $9::text::pg_snapshot)
      and pg_visible_in_snapshot(${transaction}::text::xid8, n.snapshot)`;

/**
 * Finds the families that were changed by a transaction that the snapshot did not show, families with records of plugins that
 * were registered after $11, and deleted projects.
 */
export const CHANGED_PROJECTS = prepared('changed_projects_of_feed')`with ${NOW},
  changed as (
    select f.project_id, f.changed_xid, 0 as registry_version
    from now n cross join config_family f
    where f.family = $1 and ${isChanged('f.changed_xid')}
    union all
    select r.project_id, 0, max(p.registry_version)
    from now n
    join plugin p on n.registry_version > $11::bigint and p.registry_version > $11
    join config_record r on r.plugin = p.id and r.family = $1 and ${IS_ENABLED}
    group by r.project_id
  ),
  found as (
    select c.project_id, e.external_id, max(c.changed_xid) as changed_xid, max(c.registry_version) as registry_version,
      f.list_version, null as lost_by
    from changed c
    join config_family f on f.project_id = c.project_id and f.family = $1
    join project e on e.id = c.project_id
    where ${isAsked('c.project_id')}
      and (cardinality($6::integer[]) = 0 or ${hasRecord('(r.plugin = any ($6) or r.former_plugins && $6)')})
    group by c.project_id, e.external_id, f.list_version
    union all
    select e.project_id, e.external_id, e.changed_xid, 0, 0, to_json(e.lost_by)::text
    from now n cross join erasure e
    where ${isChanged('e.changed_xid')} and ${isAsked('e.project_id', 'e.lost_by')}
  )
  select ${FOUND.sql}
  from now n
  left join lateral (select * from found c order by c.project_id limit $3) q on true
  order by q.project_id`;

/** A project that is being erased has no families. */
export const PROJECT_OF_RECORD = prepared('project_of_record')`select r.project_id
  from ${recordOfId('$1')} join config_family f on f.project_id = r.project_id and f.family = r.family
  where r.family = $2 and not r.deleted and (cardinality($3::bigint[]) = 0 or r.project_id = any ($3))
    and (cardinality($4::integer[]) = 0 or r.plugin = any ($4))`;

export function postgresProjectFeed({ pool }: Pick<Database, 'pool'>): ProjectFeed {
  const find = async (
    statement: Statement,
    { family, filter, after, limit }: FeedQuery,
    position: readonly Parameter[] = [],
  ): Promise<ChangedProjects> => {
    const { key, plugins, shard } = filter;
    const { index, of } = shard ?? { index: 0, of: 1 };
    const filters = [key.projectIds, key.id, plugins, index, of];
    const rows = await run(pool, statement, [family, after, limit + 1, ...filters, ...position]);
    const found = rows.map((row) => FOUND.read(row));
    const { snapshot = '', registryVersion = 0, recovery = 0 } = found[0] ?? {};
    const projects = found.flatMap(({ project }) => project ?? []);
    return {
      at: { snapshot: readSnapshot(snapshot), registryVersion, recovery },
      projects: projects.slice(0, limit),
      isComplete: projects.length <= limit,
    };
  };
  return {
    all: (query) => find(ALL_PROJECTS, query),
    since: ({ snapshot, registryVersion }, query) =>
      find(CHANGED_PROJECTS, query, [snapshotParameter(snapshot), snapshot.min, registryVersion]),
    projectOf: async (family, recordId, { projectIds, pluginIds }) => {
      const [row] = await run(pool, PROJECT_OF_RECORD, [recordId, family, projectIds, pluginIds]);
      return row === undefined ? null : numberAt(row, 0);
    },
  };
}

function readSnapshot(text: string): Snapshot {
  const [min, max, running = ''] = text.split(':');
  return {
    min: Number(min),
    max: Number(max),
    running: running === '' ? [] : running.split(',').map(Number),
  };
}

export function snapshotParameter({ min, max, running }: Snapshot): string {
  return `${min}:${max}:${running.join(',')}`;
}
