import {
  familyNumber,
  onlineSince,
  TIMEOUT_MS,
  REPORT_REST_MS,
  RUNTIMES_MAX,
  tooManyHosts,
  tooManyRuntimes,
  type Family,
  type PluginRuntime,
  type ProjectRuntime,
  type ProjectSubject,
  type ReceivedReport,
  type HostReport,
  type RuntimeInstance,
  type RuntimeStore,
} from '@plugin-config/domain';
import { RuntimeHostRow } from '../entities/runtime-host.row.ts';
import { RuntimeInstanceRow } from '../entities/runtime-instance.row.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run, shareStatements, type Statement } from '../postgres/statement.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';
import { RECOVERY, snapshotParameter } from './postgres-project-feed.ts';
import { CURRENCY, runtimesOf, servesFamily } from './runtimes-of.ts';

/** A failed record, a label or a plugin costs as much as this many characters. */
const ITEM_BYTES = 1000;
const BATCH = { maxItems: 256, maxBytes: 4 * 1024 * 1024, maxConcurrent: 1 };

const STORED_TIMES = ['versionSince', 'firstSeenAt', 'lastSeenAt'] as const;

const REPORT = {
  ...writtenOf(RuntimeInstanceRow, ['id', 'failedIds', ...STORED_TIMES]).types,
  at: 'timestamptz',
};

/** The columns that a report replaces. */
const STATE = Object.keys(
  writtenOf(RuntimeInstanceRow, ['id', 'projectId', 'family', 'instance', 'pluginIds', ...STORED_TIMES])
    .types,
);
const stateOf = (table: string): string => STATE.map((name) => `${table}.${name}`).join(', ');
const setTo = (table: string, at: string): string =>
  `${STATE.map((name) => `${name} = ${table}.${name}`).join(', ')},
      version_since = case when t.version = ${table}.version then t.version_since else ${at} end`;

/** What a report `g` says. Once all its failed records are dropped, it must not look like a failure of all records. */
const CLEARED = {
  status: (dropped: string) => `case when ${dropped}.is_cleared then 'applied' else g.status end`,
  error: (dropped: string) => `case when not ${dropped}.is_cleared then g.error end`,
};

/**
 * Stores the reports in $1, without failed records of other families and plugins, and adds new runtimes up to the limit of their family.
 * Returns the numbers of the reports that are now stored, or need not be. Writes the rows in a fixed order to avoid deadlocks.
 */
const STORE_REPORTS: Statement = {
  name: 'store_runtime_reports',
  text: `with given as materialized (
    select g.number, g.project_id, g.family, g.instance, g.plugin_ids, g.version, ${CLEARED.status('f')} as status, ${CLEARED.error('f')} as error, g.labels::jsonb::text as labels,
      g.plugins, g.at, f.failed, f.failed_ids
    from ${numberedRows('$1::json', REPORT, 'g')}
    cross join lateral (
      select coalesce(jsonb_agg(e.failed order by e.number), '[]')::text as failed,
        coalesce(array_agg(r.id order by e.number), '{}') as failed_ids,
        g.failed <> '[]' and count(*) = 0 as is_cleared
      from jsonb_array_elements(g.failed::jsonb) with ordinality as e (failed, number)
      join config_record r on r.id = (e.failed ->> 'id')::bigint and r.project_id = g.project_id and r.family = g.family
        and (g.plugin_ids = '{}' or r.plugin = any (g.plugin_ids))
    ) f
  ),
  known as materialized (
    select g.*, t.id, t.last_seen_at <= g.at - interval '${REPORT_REST_MS} milliseconds'
      or (${stateOf('t')}) is distinct from (${stateOf('g')}) as is_news
    from given g
    join runtime_instance t on t.project_id = g.project_id and t.family = g.family and t.instance = g.instance
      and t.plugin_ids = g.plugin_ids
  ),
  stored as (
    update runtime_instance t set ${setTo('u', 'u.at')}, last_seen_at = greatest(t.last_seen_at, u.at)
    from (
      select k.* from known k join runtime_instance o on o.id = k.id
      where k.is_news order by k.id for no key update of o
    ) u
    where t.id = u.id
  ),
  added as (
    insert into runtime_instance as t (project_id, family, instance, plugin_ids, ${STATE.join(', ')},
      version_since, first_seen_at, last_seen_at)
    select n.project_id, n.family, n.instance, n.plugin_ids, ${stateOf('n')}, n.at, n.at, n.at
    from (
      select g.*, row_number() over (partition by g.project_id, g.family order by g.number) as nth
      from given g join config_family f on f.project_id = g.project_id and f.family = g.family
      where g.number not in (select k.number from known k)
    ) n
    where n.nth <= ${RUNTIMES_MAX} - (
      select count(*) from runtime_instance c where c.project_id = n.project_id and c.family = n.family
    )
    order by n.project_id, n.family, n.instance, n.plugin_ids
    on conflict (project_id, family, instance, plugin_ids) do update set ${setTo('excluded', 'excluded.last_seen_at')}, last_seen_at = excluded.last_seen_at
    returning t.project_id, t.family, t.instance, t.plugin_ids
  )
  select k.number from known k
  union all select g.number from given g join added a using (project_id, family, instance, plugin_ids)`,
};

const REPORTED = rowOf(RuntimeInstanceRow, 't', [
  'id',
  'projectId',
  'family',
  'version',
  'failedIds',
  'versionSince',
]);

const RUNTIME = columns((row): RuntimeInstance => ({ ...row.all(REPORTED), ...row.all(CURRENCY) }));

const BYTES =
  'coalesce(octet_length(p.error), 0) + octet_length(p.failed) + octet_length(p.labels) + coalesce(pg_column_size(p.plugins), 0)';

const PAGE = pageOf({
  name: 'page_of_runtimes',
  item: RUNTIME,
  from: `${runtimesOf('$3::bigint')} t where t.family = $4
    and ($5::bigint is null or $5 = any (t.failed_ids))`,
  alias: 't',
  order: 'instance, plugin_ids',
  bytes: BYTES,
});

const ofProject = (column: string) => `(select p.${column} from project p where p.id = t.project_id)`;

const PROJECT = columns((row): ProjectSubject => ({
  id: row.number('t.project_id'),
  externalId: row.textOrNull(ofProject('external_id')),
  name: row.text(ofProject('name')),
}));

const OF_PROJECT = columns((row): ProjectRuntime => ({
  ...row.all(REPORTED),
  version: row.textOrNull('t.version'),
  hasReadAll: false,
  family: row.text('t.family') as Family,
  project: row.allOrNull(PROJECT),
}));

const SHOWN = ['family', ...REPORTED.names.map((name) => name.slice('t.'.length))].join(', ');

/** The hosts of several projects, then the runtimes of each that has not been deleted. */
const pageOfProjects = (name: string, ofHosts: string, ofProjects: string) =>
  pageOf({
    name,
    item: OF_PROJECT,
    from: `(
    select null::bigint as project_id, null as version, ${SHOWN} from runtime_host t ${ofHosts}
    union all
    select project_id, version, ${SHOWN} from runtime_instance t where exists ${ofProject('id')} ${ofProjects}
  ) t`,
    alias: 't',
    order: 'project_id nulls first, family, instance, plugin_ids',
    bytes: BYTES,
  });

const RUN_PLUGIN = 'from config_record r where r.plugin = $3 and r.enabled and not r.deleted';

const PAGE_OF_ALL = pageOfProjects('page_of_all_runtimes', '', '');
const PAGE_OF_PLUGIN = pageOfProjects(
  'page_of_runtimes_of_plugin',
  `where exists (select ${RUN_PLUGIN} and ${servesFamily('t', 'r')})`,
  `and (t.project_id, t.family) in (select r.project_id, r.family ${RUN_PLUGIN})`,
);

const OF_PLUGIN = columns((row): PluginRuntime => ({
  instance: row.text('t.instance'),
  family: row.text('t.family') as Family,
  projectIds: row.numbers('t.project_ids'),
  shard: { index: row.number('t.shard_index'), of: row.number('t.shard_of') },
  schemas: row.json('n.schemas') as readonly number[],
}));

const SERVING = 'instance, plugin_ids, family, plugins';

/** The runtimes of the families $2 and $3, and the hosts that serve one of them, that have named the plugin $1 since $4. */
const RUNTIMES_OF_PLUGIN = prepared('runtimes_of_plugin')`with f as (
    select * from unnest($2::bigint[], $3::text[]) as f (project_id, family)
  )
  select ${OF_PLUGIN.sql}
  from (
    select array[project_id] as project_ids, 0 as shard_index, 1 as shard_of, ${SERVING}
    from runtime_instance
    where (project_id, family) in (select f.project_id, f.family from f) and last_seen_at >= $4
    union all
    select project_ids, shard_index, shard_of, ${SERVING}
    from runtime_host h where exists (select from f where ${servesFamily('h', 'f')}) and last_seen_at >= $4
  ) t
  join plugin p on p.id = $1
  cross join lateral (
    select coalesce(t.plugins -> p.slug, t.plugins -> p.id::text) ->> 'schemas' as schemas
  ) n
  where n.schemas is not null and (t.plugin_ids = '{}' or p.id = any (t.plugin_ids))`;

const FORGET_RUNTIME: Statement = {
  name: 'forget_runtime',
  text: `delete from runtime_instance t where t.project_id = $1 and t.family = $2 and t.instance = $3 returning t.id`,
};

const HOST = writtenOf(RuntimeHostRow, ['id', 'failedIds']);
const POSITION = ['snapshot', 'registry_version'] as const;
const equal = (names: readonly string[], table: string): string =>
  names.map((name) => `${table}.${name}`).join(', ');
const REPLACED = Object.keys(
  writtenOf(RuntimeHostRow, [
    'id',
    'accountId',
    'family',
    'instance',
    'pluginIds',
    'versionSince',
    'firstSeenAt',
  ]).types,
);

/** The stored part of a report. */
const STORED: Readonly<Record<string, string>> = {
  failed: 'o.failed',
  status: CLEARED.status('o'),
  error: CLEARED.error('o'),
  snapshot: `case
    when $2::bigint = ${RECOVERY} and pg_snapshot_xmax(g.snapshot::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
    then g.snapshot
  end`,
};

/**
 * Stores the report of a host ($1), without failed records that its key cannot read, and without a position ($2) that the database has
 * not reached. Adds a new host up to the limit of the account.
 */
const STORE_HOST: Statement = {
  name: 'store_host_report',
  text: `insert into runtime_host as t (${HOST.names}, failed_ids)
  select ${Object.keys(HOST.types)
    .map((name) => STORED[name] ?? `g.${name}`)
    .join(', ')}, o.failed_ids
  from ${numberedRows('$1::json', HOST.types, 'g')}
  cross join lateral (
    select coalesce(jsonb_agg(e.failed order by e.number), '[]')::text as failed,
      coalesce(array_agg(r.id order by e.number), '{}') as failed_ids,
      g.failed <> '[]' and count(*) = 0 as is_cleared
    from jsonb_array_elements(g.failed::jsonb) with ordinality as e (failed, number)
    join config_record r on r.id = (e.failed ->> 'id')::bigint
      and r.project_id = (e.failed ->> 'projectId')::bigint and r.family = g.family
    join config_family f on f.project_id = r.project_id and f.family = r.family
    where (g.project_ids = '{}' or r.project_id = any (g.project_ids))
      and (g.plugin_ids = '{}' or r.plugin = any (g.plugin_ids))
  ) o
  where exists (
    select from runtime_host k where k.account_id = g.account_id and k.family = g.family and k.instance = g.instance
      and k.plugin_ids = g.plugin_ids
  ) or ${RUNTIMES_MAX} > (
    select count(*) from runtime_host c where c.account_id = g.account_id and c.family = g.family
  )
  on conflict (account_id, family, instance, plugin_ids) do update set
    ${REPLACED.map((name) => `${name} = excluded.${name}`).join(', ')},
    version_since = case
      when (${equal(POSITION, 't')}) is not distinct from (${equal(POSITION, 'excluded')}) then t.version_since
      else excluded.version_since
    end
  returning t.id`,
};

/** Batches reports: the next statement stores all reports that arrive during a statement. Projects are served round robin. */
export function postgresRuntimeStore({ pool }: Pick<StoreDatabase, 'pool'>): RuntimeStore {
  const store = async (batch: readonly ReceivedReport[]): Promise<readonly Promise<void>[]> => {
    // Of several reports of the same runtime, only the last one counts.
    const latest = new Map(batch.map((received) => [instanceKey(received), received]));
    const rows = await run(pool, STORE_REPORTS, [JSON.stringify([...latest.values()].map(reportRow))]);
    const keys = [...latest.keys()];
    const stored = new Set(rows.map((row) => keys[numberAt(row, 0) - 1]));
    return batch.map(async (one) => {
      if (!stored.has(instanceKey(one))) throw tooManyRuntimes();
    });
  };

  const report = shareStatements<ReceivedReport, void>({
    ...BATCH,
    bytesOf,
    tenantOf: ({ family }) => family.projectId,
    isTooLate: (_, waitedMs) => waitedMs >= TIMEOUT_MS,
    send: store,
  });

  return {
    report,
    reportHost: async (received) => {
      const parameters = [JSON.stringify([hostRow(received)]), received.since?.recovery ?? null];
      if ((await run(pool, STORE_HOST, parameters)).length === 0) throw tooManyHosts();
    },
    page: ({ projectId, family }, page, failed) => PAGE.read(pool, page, [projectId, family, failed ?? null]),
    pageOfAll: (plugin, page) =>
      plugin === null ? PAGE_OF_ALL.read(pool, page) : PAGE_OF_PLUGIN.read(pool, page, [plugin]),
    ofPlugin: async (plugin, families, at) => {
      const [ids, names] = [families.map(({ projectId }) => projectId), families.map(({ family }) => family)];
      const rows = await run(pool, RUNTIMES_OF_PLUGIN, [plugin, ids, names, onlineSince(at).toISOString()]);
      return rows.map((row) => OF_PLUGIN.read(row));
    },
    forget: async ({ projectId, family }, instance) =>
      (await run(pool, FORGET_RUNTIME, [projectId, family, instance])).length > 0,
  };
}

function reportRow({ family, instance, pluginIds = [], report, at }: ReceivedReport): object {
  const named = { project_id: family.projectId, family: family.family, instance, plugin_ids: pluginIds };
  return { ...named, ...report, at };
}

function hostRow({ family, instance, key, shard, since, report, at }: HostReport): object {
  return HOST.named({
    accountId: key.accountId,
    family,
    instance,
    projectIds: key.projectIds,
    pluginIds: key.pluginIds,
    shardIndex: shard?.index ?? 0,
    shardOf: shard?.of ?? 1,
    snapshot: since && snapshotParameter(since.snapshot),
    registryVersion: since?.registryVersion ?? null,
    ...report,
    versionSince: at,
    firstSeenAt: at,
    lastSeenAt: at,
  });
}

function instanceKey({ family, instance, pluginIds = [] }: ReceivedReport): string {
  return `${familyNumber(family)} ${instance} ${pluginIds.join()}`;
}

/** Weighs a report: reports of many failed records must not share one large batch. */
function bytesOf({ report: { error, failed, labels, plugins } }: ReceivedReport): number {
  const items = failed.length + Object.keys(labels).length + Object.keys(plugins ?? {}).length;
  return failed.reduce((sum, one) => sum + one.error.length, items * ITEM_BYTES + (error?.length ?? 0));
}
