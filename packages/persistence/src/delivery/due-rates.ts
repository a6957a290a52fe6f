import { deliveryRate, nextWindowChange, type DeliveryWindow, type Family } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The maximum number of rates per project in a chunk, and per chunk. */
const RATES_OF_PROJECT = 100;
export const RATES_OF_CHUNK = 1000;

const DUE = columns((row) => ({
  recordId: row.number('d.record_id'),
  changes: row.number('d.changes'),
  projectId: row.number('r.project_id'),
  family: row.text('r.family') as Family,
  shownRate: row.textOrNull('r.delivery_rate'),
  sums: {
    successes: row.number('s.successes'),
    successesOnRetry: row.number('s.successes_on_retry'),
    failures: row.number('s.failures'),
  },
  oldest: row.dateOrNull('s.oldest'),
  next: row.dateOrNull('s.next'),
  dueAt: row.text('d.due_at'),
  isErrorOutdated: row.flag('e.record_id is not null and r.error is distinct from e.error'),
}));

/** Finds due rates, a few per project. Skips from project to project in the index, so many due rates in one do not matter. */
const FIND_DUE: Statement = {
  name: 'find_due_delivery_rates',
  text: `with recursive turn (due_at, project_id) as (
    (
      select d.due_at, d.project_id from delivery_due d
      where d.due_at <= $1::timestamptz and (d.due_at, d.project_id) > ($4::timestamptz, $5::bigint)
      order by d.due_at, d.project_id limit 1
    )
    union all
    select n.due_at, n.project_id from turn t cross join lateral (
      select d.due_at, d.project_id from delivery_due d
      where d.due_at <= $1::timestamptz and (d.due_at, d.project_id) > (t.due_at, t.project_id)
      order by d.due_at, d.project_id limit 1
    ) n
  ),
  due as materialized (
    select d.* from turn t cross join lateral (
      select * from delivery_due d where d.due_at = t.due_at and d.project_id = t.project_id
      order by d.record_id limit ${RATES_OF_PROJECT}
    ) d
    limit ${RATES_OF_CHUNK}
  )
  select ${DUE.sql}
  from due d
  cross join lateral (select * from config_record r where r.id = d.record_id limit 1) r
  left join lateral (select * from error_report e where e.record_id = d.record_id limit 1) e on true
  cross join lateral (
    select
      coalesce(sum(s.successes) filter (where s.span <= $3::timestamptz), 0) as successes,
      coalesce(sum(s.successes_on_retry) filter (where s.span <= $3::timestamptz), 0) as successes_on_retry,
      coalesce(sum(s.failures) filter (where s.span <= $3::timestamptz), 0) as failures,
      min(s.span) filter (where s.span <= $3::timestamptz) as oldest,
      min(s.span) filter (where s.span > $3::timestamptz) as next
    from delivery_sum s
    where s.record_id = d.record_id and s.span >= $2::timestamptz
  ) s
  order by d.due_at, d.project_id, d.record_id`,
};

/** The index position of the last rate that was read. */
export interface DueCursor {
  readonly dueAt: string;
  readonly projectId: number;
}

export const START: DueCursor = { dueAt: '-infinity', projectId: 0 };

/** A due rate with its new value. */
export interface DueRate {
  readonly recordId: number;
  readonly projectId: number;
  readonly family: Family;
  /** The number of reports of the record that the rate includes. */
  readonly changes: number;
  readonly rate: string | null;
  /** Whether the record shows an outdated rate or an outdated error. */
  readonly isChanged: boolean;
  readonly cursor: DueCursor;
  /** When the rate is due next if there are no new reports. */
  readonly dueAt: number;
}

/** Finds the next chunk of due rates after the cursor. */
export async function findDueRates(
  pool: pg.Pool,
  now: Date,
  window: DeliveryWindow,
  after: DueCursor,
): Promise<readonly DueRate[]> {
  const bounds = [window.first, window.last].map((span) => new Date(span).toISOString());
  const rows = await run(pool, FIND_DUE, [now.toISOString(), ...bounds, after.dueAt, after.projectId]);
  return rows.map((row) => dueRateOf(DUE.read(row), window));
}

function dueRateOf(
  { sums, shownRate, isErrorOutdated, oldest, next, dueAt, ...due }: ReturnType<typeof DUE.read>,
  window: DeliveryWindow,
): DueRate {
  const rate = deliveryRate(sums);
  const spans = [oldest, next].flatMap((span) => span?.getTime() ?? []);
  return {
    ...due,
    rate,
    isChanged: rate !== shownRate || isErrorOutdated,
    cursor: { dueAt, projectId: due.projectId },
    dueAt: nextWindowChange(spans, window),
  };
}
