import {
  deliveryRate,
  latestWindowChange,
  nextWindowChange,
  type DeliveryWindow,
  type Family,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';

/** The maximum number of rates per project in a chunk, and per chunk. */
const RATES_OF_PROJECT = 100;
export const RATES_OF_CHUNK = 1000;

const LOCKED = columns((row) => ({
  recordId: row.number('d.record_id'),
  cursor: { dueAt: row.text('d.due_at'), projectId: row.number('d.project_id') },
}));

/**
 * Locks due rates, a few per project. Includes rates due later than any window changes, because the clock was ahead. Skips from
 * project to project in the index, so many due rates in one do not matter, and skips those with a report that is being stored.
 */
const LOCK_DUE = prepared('lock_due_delivery_rates')`with recursive turn (due_at, project_id) as (
    (
      select d.due_at, d.project_id from delivery_due d
      where d.due_at < $1::timestamptz and (d.due_at, d.project_id) > ($2::timestamptz, $3::bigint)
      order by d.due_at, d.project_id limit 1
    )
    union all
    select n.due_at, n.project_id from turn t cross join lateral (
      select d.due_at, d.project_id from delivery_due d
      where d.due_at < $1::timestamptz and (d.due_at, d.project_id) > (t.due_at, t.project_id)
      order by d.due_at, d.project_id limit 1
    ) n
  )
  select ${LOCKED.sql} from (
    select d.* from turn t cross join lateral (
      select * from delivery_due d where d.due_at = t.due_at and d.project_id = t.project_id
      order by d.record_id limit ${RATES_OF_PROJECT} for update skip locked
    ) d
    limit ${RATES_OF_CHUNK}
  ) d
  union all
  select ${LOCKED.sql} from (
    select * from delivery_due d where d.due_at > $4::timestamptz
    order by d.due_at limit ${RATES_OF_PROJECT} for update skip locked
  ) d`;

const SUMMED = columns((row) => ({
  recordId: row.number('r.id'),
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
  isErrorOutdated: row.flag('e.record_id is not null and r.error is distinct from e.error'),
}));

/** Sums after the rates are locked, when all reports of their records are visible. */
const SUM_UP = prepared('sum_up_delivery_rates')`select ${SUMMED.sql}
  from unnest($1::bigint[]) d (record_id)
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
  ) s`;

/** The index position of the last read rate. */
export interface DueCursor {
  readonly dueAt: string;
  readonly projectId: number;
}

export const START: DueCursor = { dueAt: '-infinity', projectId: 0 };

export interface DueRate {
  readonly recordId: number;
  readonly projectId: number;
  readonly family: Family;
  readonly rate: string | null;
  /** Whether the record shows an outdated rate or an outdated error. */
  readonly isChanged: boolean;
  /** When the rate is due next if there are no new reports. */
  readonly dueAt: number;
}

/** Locks the next chunk of due rates until the transaction ends, and sums them up. */
export async function lockDueRates(
  client: pg.ClientBase,
  now: Date,
  window: DeliveryWindow,
  after: DueCursor,
): Promise<{ readonly rates: readonly DueRate[]; readonly next: DueCursor }> {
  const latest = new Date(latestWindowChange(window)).toISOString();
  const due = await run(client, LOCK_DUE, [now.toISOString(), after.dueAt, after.projectId, latest]);
  const locked = due.map((row) => LOCKED.read(row));
  const bounds = [window.first, window.last].map((span) => new Date(span).toISOString());
  const rows =
    locked.length === 0 ? [] : await run(client, SUM_UP, [locked.map(({ recordId }) => recordId), ...bounds]);
  return {
    rates: rows.map((row) => dueRateOf(SUMMED.read(row), window)),
    next: (locked.length < RATES_OF_CHUNK ? null : locked.at(-1)?.cursor) ?? START,
  };
}

function dueRateOf(
  { sums, shownRate, isErrorOutdated, oldest, next, ...due }: ReturnType<typeof SUMMED.read>,
  window: DeliveryWindow,
): DueRate {
  const rate = deliveryRate(sums);
  const spans = [oldest, next].flatMap((span) => span?.getTime() ?? []);
  return {
    ...due,
    rate,
    isChanged: rate !== shownRate || isErrorOutdated,
    dueAt: nextWindowChange(spans, window),
  };
}
