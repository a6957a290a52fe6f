import { deliveryRate, turnOf, type DeliveryWindow } from '@plugin-config/domain';
import type pg from 'pg';
import { dateOrNullAt, numberAt, textAt, textOrNullAt } from '../cells.ts';
import { run, type Cells, type Statement } from '../statement.ts';

export const MOST_AT_ONCE = 1000;

const FIND_DUE: Statement = {
  name: 'find_due_delivery_rates',
  text: `select d.record_id, d.changes, r.project_id, r.family, r.delivery_rate,
    s.successes, s.successes_on_retry, s.failures, s.oldest, s.next
  from (select * from delivery_due where due_at <= $1::timestamptz order by record_id limit ${MOST_AT_ONCE}) d
  cross join lateral (select * from config_record r where r.id = d.record_id limit 1) r
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
  order by d.record_id`,
};

/** A rate that is due, as it must read now. */
export interface DueRate {
  readonly recordId: number;
  readonly projectId: number;
  readonly family: string;
  /** How often anything was reported: what was seen of the reports. */
  readonly changes: number;
  readonly rate: string | null;
  readonly isChanged: boolean;
  /** When it is due again, if nothing is reported; null for never. */
  readonly dueAt: number | null;
}

export async function findDueRates(
  pool: pg.Pool,
  now: Date,
  window: DeliveryWindow,
): Promise<readonly DueRate[]> {
  const bounds = [window.first, window.last].map((span) => new Date(span).toISOString());
  return (await run(pool, FIND_DUE, [now.toISOString(), ...bounds])).map((row) => dueRateAt(row, window));
}

function dueRateAt(row: Cells, window: DeliveryWindow): DueRate {
  const rate = deliveryRate({
    successes: numberAt(row, 5),
    successesOnRetry: numberAt(row, 6),
    failures: numberAt(row, 7),
  });
  const turns = [dateOrNullAt(row, 8), dateOrNullAt(row, 9)].flatMap((span) =>
    span === null ? [] : turnOf(span.getTime(), window),
  );
  return {
    recordId: numberAt(row, 0),
    changes: numberAt(row, 1),
    projectId: numberAt(row, 2),
    family: textAt(row, 3),
    rate,
    isChanged: rate !== textOrNullAt(row, 4),
    dueAt: turns.length === 0 ? null : Math.min(...turns),
  };
}
