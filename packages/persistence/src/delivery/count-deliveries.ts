import { spanOf, type DeliveryMessage } from '@plugin-config/domain';
import type pg from 'pg';
import { textAt } from '../postgres/cells.ts';
import { run, type Statement } from '../postgres/statement.ts';

/**
 * A unique index cannot tell that two transactions report one id for different days, since each day has an index of its
 * own. So each claims the ids of its records in one table first: whoever finds one in another's hands waits for the
 * other's end.
 */
const CLAIM: Statement = {
  name: 'claim_delivery_ids',
  text: `insert into delivery_claim (record_id, id)
  select * from unnest($1::bigint[], $2::uuid[]) on conflict do nothing`,
};

/** An id of a record counts once, whatever day its report is of. A claim holds until the end, also one that is taken out. */
const REMEMBER: Statement = {
  name: 'remember_delivery_reports',
  text: `with given as (
    select * from unnest($1::bigint[], $2::uuid[], $3::date[]) t (record_id, id, day)
  ), settled as (
    delete from delivery_claim c using given where c.record_id = given.record_id and c.id = given.id
  )
  insert into delivery_report (record_id, id, day)
  select given.*
  from given
  left join lateral (
    select r.day from delivery_report r where r.record_id = given.record_id and r.id = given.id limit 1
  ) known on true
  where known.day is null
  on conflict do nothing
  returning record_id, id`,
};

const ADD_UP: Statement = {
  name: 'add_up_deliveries',
  text: `insert into delivery_sum as s (record_id, span, successes, successes_on_retry, failures)
  select * from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[])
  on conflict (record_id, span) do update set
    successes = s.successes + excluded.successes,
    successes_on_retry = s.successes_on_retry + excluded.successes_on_retry,
    failures = s.failures + excluded.failures`,
};

/** Adds up the reports whose id was not counted yet of their record, and answers them. */
export async function countDeliveries(
  client: pg.ClientBase,
  messages: readonly DeliveryMessage[],
): Promise<readonly DeliveryMessage[]> {
  if (messages.length === 0) return [];
  const reports = onceEach(messages);
  const claimed = [reports.map(({ recordId }) => recordId), reports.map(({ id }) => id)];
  await run(client, CLAIM, claimed);
  const days = reports.map(({ timestamp }) => new Date(timestamp).toISOString());
  const rows = await run(client, REMEMBER, [...claimed, days]);
  const keys = new Set(rows.map((row) => `${textAt(row, 0)} ${textAt(row, 1)}`));
  const counted = reports.filter((report) => keys.has(keyOf(report)));
  if (counted.length > 0) await addUp(client, counted);
  return counted;
}

function keyOf({ recordId, id }: DeliveryMessage): string {
  return `${recordId} ${id}`;
}

/** The first of each id of a record, in one order for all, so that no two transactions claim crosswise. */
function onceEach(messages: readonly DeliveryMessage[]): readonly DeliveryMessage[] {
  const reports = new Map<string, DeliveryMessage>();
  for (const message of messages) if (!reports.has(keyOf(message))) reports.set(keyOf(message), message);
  return [...reports.values()].toSorted((a, b) => a.recordId - b.recordId || (a.id < b.id ? -1 : 1));
}

async function addUp(client: pg.ClientBase, reports: readonly DeliveryMessage[]): Promise<void> {
  const sums = sumsOf(reports);
  await run(client, ADD_UP, [
    sums.map(({ recordId }) => recordId),
    sums.map(({ span }) => new Date(span).toISOString()),
    sums.map(({ successes }) => successes),
    sums.map(({ successesOnRetry }) => successesOnRetry),
    sums.map(({ failures }) => failures),
  ]);
}

interface Sum {
  readonly recordId: number;
  readonly span: number;
  readonly successes: number;
  readonly successesOnRetry: number;
  readonly failures: number;
}

/** By record and span, in that order. */
function sumsOf(reports: readonly DeliveryMessage[]): readonly Sum[] {
  const sums = new Map<string, Sum>();
  for (const { recordId, timestamp, successes, successesOnRetry, failures } of reports) {
    const span = spanOf(timestamp);
    const key = `${recordId} ${span}`;
    const sum = sums.get(key) ?? { successes: 0, successesOnRetry: 0, failures: 0 };
    sums.set(key, {
      recordId,
      span,
      successes: sum.successes + successes,
      successesOnRetry: sum.successesOnRetry + successesOnRetry,
      failures: sum.failures + failures,
    });
  }
  return [...sums.values()].toSorted((a, b) => a.recordId - b.recordId || a.span - b.span);
}
