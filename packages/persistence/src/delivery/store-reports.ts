import type { Reports } from '@plugin-config/domain';
import type pg from 'pg';
import { countDeliveries } from './count-deliveries.ts';
import { keepFailed } from './keep-failed.ts';
import { reportErrors } from './report-errors.ts';
import { prepared, run } from '../postgres/statement.ts';

const MARK_RATES_DUE = prepared('make_delivery_rates_due')`
  insert into delivery_due (record_id, project_id, due_at)
  select t.record_id, r.project_id, '-infinity'
  from unnest($1::bigint[]) t (record_id)
  cross join lateral (select * from config_record r where r.id = t.record_id limit 1) r
  on conflict (record_id) do update set due_at = '-infinity'`;

/** Stores reports within the caller's transaction. Resolves to the outcome of each delivery. */
export async function storeReports(
  client: pg.ClientBase,
  { deliveries, errors }: Reports,
): Promise<readonly ('stored' | 'duplicate')[]> {
  const postponed = await reportErrors(client, errors);
  await markRatesDue(client, [...postponed, ...deliveries.map(({ recordId }) => recordId)]);
  const counted = new Set(await countDeliveries(client, deliveries));
  const inOrder = [...new Set(deliveries)].filter((delivery) => counted.has(delivery));
  await keepFailed(client, inOrder);
  return deliveries.map((delivery) => (counted.has(delivery) ? 'stored' : 'duplicate'));
}

/**
 * Makes the rates of these records due now, which also updates their errors. The rows stay locked until the commit, so
 * transactions that report deliveries of the same record run one at a time.
 */
async function markRatesDue(client: pg.ClientBase, recordIds: readonly number[]): Promise<void> {
  if (recordIds.length === 0) return;
  await run(client, MARK_RATES_DUE, [[...new Set(recordIds)].toSorted((a, b) => a - b)]);
}
