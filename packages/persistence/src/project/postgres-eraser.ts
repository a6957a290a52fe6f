import { SERVICE, type ErasedKind, type Eraser } from '@plugin-config/domain';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { exclusively } from '../postgres/exclusively.ts';
import { prepared, run, type Parameter, type Statement } from '../postgres/statement.ts';
import { untilTransactionsEnd, writersOf } from '../postgres/until-transactions-end.ts';

/** The limits of one statement, which keep its locks short. */
const CHUNK = { rows: 1000, records: 200, logEntries: 10_000 };

/** Finds the transactions that write without locking the family: batches of log messages, runtime reports and followers of logs. */
const WRITERS_WITHOUT_FAMILY = writersOf('writers_without_family', [
  'log_entry',
  'runtime_instance',
  'runtime_host',
  'log_follower',
]);

const RECORDS = prepared('records_to_erase')`
  select r.id from config_record r where r.project_id = $1 order by r.family, r.deleted, r.position, r.id
  limit ${CHUNK.records}`;

/** Keeps the highest plugin that a record of the project is or was attached to: its id is never drawn for a new plugin. */
const KEEP_PLUGIN_IDS = prepared('keep_plugin_ids')`
  insert into plugin_registry as g (id, version, erased_max)
  select 1, 0, max(u.plugin)
  from config_record r cross join unnest(r.former_plugins || r.plugin) as u (plugin) where r.project_id = $1
  having count(*) > 0
  on conflict (id) do update set erased_max = excluded.erased_max where g.erased_max < excluded.erased_max`;

const FINISH = prepared('finish_erasure')`
  update erasure set finished_at = greatest(started_at, now()), key_ids = '{}', external_id = null
  where project_id = $1 and finished_at is null`;

/** Returns the query that increases a count of the erasure, by default by the number of rows in `gone`. */
const counted = (kind: ErasedKind, rows = 'select count(*) from gone'): string =>
  `update erasure e set counts = e.counts || jsonb_build_object('${kind}', coalesce((e.counts ->> '${kind}')::bigint, 0) + (${rows}))
    where e.project_id = $1 and (${rows}) > 0`;

interface Rows {
  readonly table: string;
  /** Distinguishes several deletions from one table. */
  readonly name?: string;
  readonly key: string;
  readonly kind?: ErasedKind;
  readonly where?: string;
}

/** Deletes a chunk of rows. Returns the number of rows found, which another process may have deleted first. */
function deletion({ table, name = table, key, kind, where = 'project_id = $1' }: Rows): Statement {
  const count = kind === undefined ? '' : `,\n  counted as (${counted(kind)})`;
  return {
    name: `erase_${name}`,
    text: `with chunk as materialized (select ${key} from ${table} where ${where} limit ${CHUNK.rows}),
  gone as (delete from ${table} where (${key}) in (select * from chunk) returning 1)${count}
  select count(*), $1::bigint from chunk`,
  };
}

const OF_RECORDS = 'record_id = any ($2::bigint[])';
const RECORD_IDS = 'select r.id from config_record r where r.project_id = $1';

/** Deletes the entries of some hours with their counters, which count the entries in the archive, too. */
const LOG_ENTRIES = prepared('erase_log_entries')`with hour as (
    select h.record_id, h.hour, h.entries, sum(h.entries) over (order by h.record_id, h.hour) - h.entries as ahead
    from (
      select o.record_id, o.hour, (select coalesce(sum(n), 0) from unnest(o.counts) n) as entries
      from log_hour o where o.${OF_RECORDS} order by o.record_id, o.hour limit ${CHUNK.rows}
    ) h
  ),
  chunk as materialized (select * from hour h where h.ahead < ${CHUNK.logEntries}),
  hours as (
    delete from log_hour h using chunk c where h.record_id = c.record_id and h.hour = c.hour
    returning h.record_id, h.hour, c.entries
  ),
  gone as (
    delete from log_entry e using hours h
    where e.record_id = h.record_id and e.timestamp >= h.hour and e.timestamp < h.hour + interval '1 hour'
  ),
  counted as (${counted('log_entries', 'select coalesce(sum(h.entries), 0) from hours h')})
  select (select count(*) from chunk), $1::bigint`;

/**
 * Removes the failed records of the project from the reports of hosts, which serve other projects. Their errors may be about any.
 */
const HOST_FAILURES = prepared('erase_host_failures')`with chunk as materialized (
    select h.id, h.failed from runtime_host h
    where h.failed::jsonb @> jsonb_build_array(jsonb_build_object('projectId', $1::bigint)) limit ${CHUNK.rows}
  ),
  cleared as (
    update runtime_host h set failed = o.failed, failed_ids = o.ids, error = null,
      status = case o.failed when '[]' then 'applied' else h.status end
    from chunk c cross join lateral (
      select coalesce(jsonb_agg(e.failed order by e.number), '[]')::text as failed,
        coalesce(array_agg((e.failed ->> 'id')::bigint order by e.number), '{}') as ids
      from jsonb_array_elements(c.failed::jsonb) with ordinality as e (failed, number)
      where (e.failed ->> 'projectId')::bigint <> $1
    ) o
    where h.id = c.id and h.failed = c.failed
  )
  select count(*), $1::bigint from chunk`;

/** Rows that are not indexed by record. Each is read in one pass over its table, while the records still exist. */
const FIRST: readonly Statement[] = [
  deletion({ table: 'task', key: 'id', where: `project_id = $1 and kind <> 'erasure'` }),
  deletion({ table: 'job', name: 'checks', key: 'id', where: 'project_id = $1 and record_id is null' }),
  deletion({
    table: 'dead_letter',
    key: 'id',
    kind: 'dead_letters',
    // Messages received after the deletion are included if their senders could have written to its records.
    where: `owner = 'project ' || $1::bigint
    or record_id in (${RECORD_IDS}) and (project_ids = '{}' or $1 = any (project_ids))`,
  }),
];

/** The records come last, since they show what is left to erase. */
const BY_RECORD: readonly Statement[] = [
  LOG_ENTRIES,
  deletion({ table: 'activity', key: 'id', kind: 'activity', where: OF_RECORDS }),
  deletion({ table: 'config_revision', key: 'record_id, number', kind: 'revisions', where: OF_RECORDS }),
  deletion({ table: 'job', key: 'id', kind: 'jobs', where: OF_RECORDS }),
  deletion({ table: 'log_sequence', key: 'record_id, epoch, last', where: OF_RECORDS }),
  deletion({ table: 'log_follower', key: 'record_id', where: OF_RECORDS }),
  deletion({ table: 'log_follow', key: 'record_id', where: OF_RECORDS }),
  deletion({ table: 'delivery_due', key: 'record_id', where: OF_RECORDS }),
  deletion({ table: 'delivery_report', key: 'record_id, id, day_number', where: OF_RECORDS }),
  deletion({ table: 'delivery_sum', key: 'record_id, span', where: OF_RECORDS }),
  deletion({ table: 'failed_delivery', key: 'record_id, number', where: OF_RECORDS }),
  deletion({ table: 'error_report', key: 'record_id', where: OF_RECORDS }),
  deletion({
    table: 'alert_state',
    name: 'alert_state_of_records',
    key: 'alert_id, record_id',
    where: `alert_id in (select a.id from alert a where a.project_id = ${SERVICE}) and ${OF_RECORDS}`,
  }),
  deletion({ table: 'managed_record', key: 'record_id', where: OF_RECORDS }),
  deletion({ table: 'config_record', key: 'id', kind: 'records', where: 'id = any ($2::bigint[])' }),
];

const BY_PROJECT: readonly Statement[] = [
  deletion({ table: 'kept_response', key: 'name', kind: 'kept_responses' }),
  deletion({ table: 'runtime_instance', key: 'id', kind: 'runtimes' }),
  HOST_FAILURES,
  deletion({
    table: 'alert_state',
    key: 'alert_id, record_id',
    where: `alert_id in (select a.id from alert a where a.project_id = $1)
      or alert_id in (select a.id from alert a where a.project_id = ${SERVICE}) and record_id = -$1::bigint`,
  }),
  deletion({ table: 'alert', key: 'id', kind: 'alerts' }),
  deletion({ table: 'incident', key: 'id', kind: 'incidents' }),
  deletion({ table: 'webhook', key: 'id', kind: 'webhooks' }),
  deletion({ table: 'webhook_dispatch', key: 'number', kind: 'deliveries' }),
  deletion({ table: 'log_project_delta', key: 'id' }),
  deletion({ table: 'log_project_hour', key: 'project_id, hour' }),
  deletion({ table: 'log_usage', key: 'day, project_id' }),
];

const IS_SUBJECT = `(
        a.project_id = $1 or a.subject_type = 'project' and a.subject_id = $1
        or a.subject_type in ('key', 'trust', 'user') and a.subject_id = any (own.ids)
      )`;

/** Removes the names of the project and its items, and the labels of its keys. */
const BLANK_AUDIT = prepared('erase_audit_names')`
  with own as (select e.key_ids as ids from erasure e where e.project_id = $1),
  gone as (
    update audit a set
      subject_name = case when ${IS_SUBJECT} then '' else a.subject_name end,
      actor_label = case when a.actor_key_id = any (own.ids) then '' else a.actor_label end,
      actor_subject = case when a.actor_key_id = any (own.ids) then null else a.actor_subject end
    from own
    where a.id in (
      select a.id from audit a, own
      where ${IS_SUBJECT} and a.subject_name <> '' or a.actor_key_id = any (own.ids) and a.actor_label <> ''
      limit ${CHUNK.rows}
    )
    returning 1
  )
  select count(*) from gone`;

export function postgresEraser({ pool, archive }: Pick<Database, 'pool' | 'archive'>): Eraser {
  const deletes = async (statement: Statement, parameters: readonly Parameter[]): Promise<boolean> => {
    const [row = []] = await run(pool, statement, parameters);
    return numberAt(row, 0) > 0;
  };
  const byRecord = async (projectId: number): Promise<boolean> => {
    const ids = (await run(pool, RECORDS, [projectId])).map((row) => numberAt(row, 0));
    for (const statement of BY_RECORD) {
      if (ids.length > 0 && (await deletes(statement, [projectId, ids]))) return true;
    }
    return false;
  };
  const of = (statement: Statement) => (projectId: number) => deletes(statement, [projectId]);
  /** Each resolves to false once it has nothing left to do. */
  const steps: readonly ((projectId: number) => Promise<boolean>)[] = [
    async () => {
      await untilTransactionsEnd(pool, WRITERS_WITHOUT_FAMILY);
      return false;
    },
    ...FIRST.map(of),
    async (projectId) => {
      await run(pool, KEEP_PLUGIN_IDS, [projectId]);
      return false;
    },
    byRecord,
    ...BY_PROJECT.map(of),
    of(BLANK_AUDIT),
    async (projectId) => {
      await archive?.eraseProject(projectId);
      return false;
    },
  ];
  return {
    eraseChunk: async (projectId, step) => {
      const isMore = (await steps[step]?.(projectId)) ?? false;
      if (isMore) return step;
      return step + 1 < steps.length ? step + 1 : null;
    },
    finish: async (projectId) => void (await run(pool, FINISH, [projectId])),
    exclusively: (work) => exclusively(pool, ADVISORY_LOCK.erasure, work),
  };
}
