import { SPAN_MS, type DeliveryMessage } from '@plugin-config/domain';
import type pg from 'pg';
import { textAt } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { TODAY } from './report-ids.ts';

/** Stores new report ids. An id counts once per record, no matter which of the kept days it arrived on. */
const STORE_REPORT_IDS = prepared('store_delivery_report_ids')`
  insert into delivery_report (record_id, id, day_number)
  select t.*, ${TODAY}
  from unnest($1::bigint[], $2::uuid[]) t (record_id, id)
  left join lateral (
    select r.id from delivery_report r where r.record_id = t.record_id and r.id = t.id limit 1
  ) known on true
  where known.id is null
  on conflict do nothing
  returning record_id, id`;

const SUMS = 'successes, successes_on_retry, failures';

const ADD_UP = prepared('add_up_deliveries')`insert into delivery_sum as s (record_id, span, ${SUMS})
  select record_id, date_bin('${SPAN_MS} milliseconds', at, 'epoch') as span,
    sum(successes)::bigint, sum(successes_on_retry)::bigint, sum(failures)::bigint
  from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[]) r (record_id, at, ${SUMS})
  group by 1, 2
  order by 1, 2
  on conflict (record_id, span) do update set successes = s.successes + excluded.successes,
    successes_on_retry = s.successes_on_retry + excluded.successes_on_retry,
    failures = s.failures + excluded.failures`;

/**
 * Adds up the reports whose id is new for their record, and returns them. The caller must have locked the rates of the records,
 * since the unique index of a day does not detect a concurrent report with the same id on another day.
 */
export async function countDeliveries(
  client: pg.ClientBase,
  messages: readonly DeliveryMessage[],
): Promise<readonly DeliveryMessage[]> {
  if (messages.length === 0) return [];
  const reports = distinctReports(messages);
  const rows = await run(client, STORE_REPORT_IDS, [
    reports.map(({ recordId }) => recordId),
    reports.map(({ id }) => id),
  ]);
  const keys = new Set(rows.map((row) => `${textAt(row, 0)} ${textAt(row, 1)}`));
  const counted = reports.filter((report) => keys.has(keyOf(report)));
  if (counted.length > 0) await addUp(client, counted);
  return counted;
}

function keyOf({ recordId, id }: DeliveryMessage): string {
  return `${recordId} ${id}`;
}

/** Returns the first report of each record and id, sorted to avoid deadlocks. */
function distinctReports(messages: readonly DeliveryMessage[]): readonly DeliveryMessage[] {
  const reports = new Map<string, DeliveryMessage>();
  for (const message of messages) if (!reports.has(keyOf(message))) reports.set(keyOf(message), message);
  return [...reports.values()].toSorted((a, b) => a.recordId - b.recordId || (a.id < b.id ? -1 : 1));
}

async function addUp(client: pg.ClientBase, reports: readonly DeliveryMessage[]): Promise<void> {
  await run(client, ADD_UP, [
    reports.map(({ recordId }) => recordId),
    reports.map(({ timestamp }) => new Date(timestamp).toISOString()),
    reports.map(({ successes }) => successes),
    reports.map(({ successesOnRetry }) => successesOnRetry),
    reports.map(({ failures }) => failures),
  ]);
}
