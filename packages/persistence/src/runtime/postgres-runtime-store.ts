import {
  familyNumber,
  TIMEOUT_MS,
  REPORT_REST_MS,
  RUNTIMES_MAX,
  tooManyRuntimes,
  type FailedRecord,
  type FamilyRef,
  type ReceivedReport,
  type RuntimeInstance,
  type RuntimeStatus,
  type RuntimeStore,
} from '@plugin-config/domain';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { numberedRows, type RowOf } from '../postgres/numbered-rows.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { shareStatements } from '../postgres/share-statements.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** A failed record or a label costs as much as this many characters. */
const ITEM_BYTES = 1000;
const BATCH = { maxItems: 256, maxBytes: 4 * 1024 * 1024, maxConcurrent: 1 };

const REPORT = {
  project_id: 'bigint',
  family: 'text',
  instance: 'text',
  version: 'text',
  status: 'text',
  error: 'text',
  failed: 'jsonb',
  labels: 'jsonb',
  at: 'timestamptz',
} as const;

/** Selects the reports of $1. Leaves out failed records that do not belong to the family. */
const GIVEN = `given as materialized (
    select g.number, g.project_id, g.family, g.instance, g.version, g.status, g.error, g.labels::text, g.at, coalesce((
      select jsonb_agg(f.failed order by f.number)
      from jsonb_array_elements(g.failed) with ordinality as f (failed, number)
      join config_record r on r.id = (f.failed ->> 'id')::bigint and r.project_id = g.project_id and r.family = g.family
    ), '[]')::text as failed
    from ${numberedRows('$1::json', REPORT, 'g')}
  )`;

const STATE = ['version', 'status', 'error', 'failed', 'labels'] as const;
const SET = STATE.map((name) => `${name} = u.${name}`).join(', ');
const stateOf = (table: string): string => `(${STATE.map((name) => `${table}.${name}`).join(', ')})`;

/**
 * Stores the reports of existing runtimes. Returns the numbers of the reports that are stored now or need not be. Locks the rows
 * in a fixed order to avoid deadlocks.
 */
const REPORT_RUNTIMES: Statement = {
  name: 'report_runtimes',
  text: `with ${GIVEN},
  known as materialized (
    select g.*, t.id, t.last_seen_at <= g.at - interval '${REPORT_REST_MS} milliseconds'
      or ${stateOf('t')} is distinct from ${stateOf('g')} as is_news
    from given g
    join runtime_instance t on t.project_id = g.project_id and t.family = g.family and t.instance = g.instance
  ),
  stored as (
    update runtime_instance t set ${SET}, last_seen_at = greatest(t.last_seen_at, u.at)
    from (
      select k.* from known k join runtime_instance o on o.id = k.id
      where k.is_news order by k.id for no key update of o
    ) u
    where t.id = u.id
    returning u.number
  )
  select k.number from known k where not k.is_news union all select s.number from stored s`,
};

const LOCK_NEW: Statement = {
  name: 'lock_new_runtimes',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.runtimes}, hashtext($1::bigint || $2::text))`,
};

/** Adds runtimes to a family ($2, $3) up to its limit. Returns the numbers of the stored reports. */
const ADD_RUNTIMES: Statement = {
  name: 'add_runtimes',
  text: `with ${GIVEN},
  room as (
    select ${RUNTIMES_MAX} - count(*) as rows from runtime_instance t where t.project_id = $2 and t.family = $3
  ),
  stored as (
    insert into runtime_instance as t (project_id, family, instance, ${STATE.join(', ')}, first_seen_at, last_seen_at)
    select g.project_id, g.family, g.instance, ${STATE.map((name) => `g.${name}`).join(', ')}, g.at, g.at
    from given g join config_family f on f.project_id = g.project_id and f.family = g.family
    order by g.number limit (select greatest(r.rows, 0) from room r)
    on conflict (project_id, family, instance)
      do update set ${STATE.map((name) => `${name} = excluded.${name}`).join(', ')}, last_seen_at = excluded.last_seen_at
    returning t.instance
  )
  select g.number from given g join stored s on s.instance = g.instance`,
};

const RUNTIME = columns((row): RuntimeInstance => ({
  instance: row.text('t.instance'),
  version: row.text('t.version'),
  status: row.text('t.status') as RuntimeStatus,
  error: row.textOrNull('t.error'),
  failed: row.json('t.failed') as readonly FailedRecord[],
  labels: row.json('t.labels') as Readonly<Record<string, string>>,
  firstSeenAt: row.date('t.first_seen_at'),
  lastSeenAt: row.date('t.last_seen_at'),
}));

const LISTED = columns((row) => ({
  runtime: row.allOrNull(RUNTIME),
  count: row.number('(select count(*) from runtime_instance c where c.project_id = $1 and c.family = $2)'),
}));

const RUNTIME_PAGE: Statement = {
  name: 'page_of_runtimes',
  text: `select ${LISTED.sql}
  from (select) one
  left join ${rowsThatFit({
    from: `(
      select * from runtime_instance r where r.project_id = $1 and r.family = $2
      order by r.instance limit $3 offset $4
    )`,
    order: 'p.instance',
    bytes: 'coalesce(octet_length(p.error), 0) + octet_length(p.failed) + octet_length(p.labels)',
  })} t on true
  order by t.instance`,
};

const FORGET_RUNTIME: Statement = {
  name: 'forget_runtime',
  text: `delete from runtime_instance t where t.project_id = $1 and t.family = $2 and t.instance = $3 returning t.id`,
};

/** Batches reports: those that arrive during a statement are stored by the next one. Projects are served round robin. */
export function postgresRuntimeStore({ pool }: Pick<StoreDatabase, 'pool'>): RuntimeStore {
  const addTo = (family: FamilyRef, rows: readonly ReportRow[]): Promise<ReadonlySet<number>> =>
    inTransaction(pool, 'begin', async (client) => {
      await run(client, LOCK_NEW, [family.projectId, family.family]);
      return numbersOf(
        await run(client, ADD_RUNTIMES, [JSON.stringify(rows), family.projectId, family.family]),
      );
    });

  /** Adds new runtimes, family by family. */
  const add = async (received: readonly ReceivedReport[]): Promise<ReadonlySet<ReceivedReport>> => {
    const added = new Set<ReceivedReport>();
    for (const group of Map.groupBy(received, ({ family }) => familyNumber(family)).values()) {
      const [{ family } = { family: null }] = group;
      if (family === null) continue;
      const numbers = await addTo(family, group.map(rowOf));
      for (const [i, one] of group.entries()) if (numbers.has(i + 1)) added.add(one);
    }
    return added;
  };

  const store = async (batch: readonly ReceivedReport[]): Promise<readonly Promise<void>[]> => {
    // Of several reports of the same runtime, only the last one counts.
    const latest = new Map(batch.map((received) => [instanceKey(received), received]));
    const received = [...latest.values()];
    const existing = numbersOf(await run(pool, REPORT_RUNTIMES, [JSON.stringify(received.map(rowOf))]));
    const missing = received.filter((_, i) => !existing.has(i + 1));
    const added = await add(missing);
    const rejected = new Set(missing.filter((one) => !added.has(one)).map(instanceKey));
    return batch.map(async (one) => {
      if (rejected.has(instanceKey(one))) throw tooManyRuntimes();
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
    page: async ({ projectId, family }, { limit, offset }) => {
      const parameters = [projectId, family, limit, offset];
      const rows = await run(pool, RUNTIME_PAGE, parameters);
      const listed = rows.map((row) => LISTED.read(row));
      return { count: listed[0]?.count ?? 0, items: listed.flatMap(({ runtime }) => runtime ?? []) };
    },
    forget: async ({ projectId, family }, instance) =>
      (await run(pool, FORGET_RUNTIME, [projectId, family, instance])).length > 0,
  };
}

type ReportRow = RowOf<typeof REPORT>;

function rowOf({ family, instance, report, at }: ReceivedReport): ReportRow {
  return { project_id: family.projectId, family: family.family, instance, ...report, at };
}

function instanceKey({ family, instance }: ReceivedReport): string {
  return `${familyNumber(family)} ${instance}`;
}

function numbersOf(rows: Awaited<ReturnType<typeof run>>): ReadonlySet<number> {
  return new Set(rows.map((row) => numberAt(row, 0)));
}

/** Weighs a report, so that reports of many failed records do not share one large batch. */
function bytesOf({ report: { error, failed, labels } }: ReceivedReport): number {
  const items = failed.length + Object.keys(labels).length;
  return failed.reduce((sum, one) => sum + one.error.length, items * ITEM_BYTES + (error?.length ?? 0));
}
