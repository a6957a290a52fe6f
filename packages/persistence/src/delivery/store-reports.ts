import type { Reports } from '@plugin-config/domain';
import type pg from 'pg';
import { countDeliveries } from './count-deliveries.ts';
import { markRatesDue } from './make-due.ts';
import { reportErrors } from './report-errors.ts';

/** Stores reports within a transaction of the caller. Resolves to the outcome of each delivery. */
export async function storeReports(
  client: pg.ClientBase,
  { deliveries, errors }: Reports,
): Promise<readonly ('stored' | 'duplicate')[]> {
  const unshown = await reportErrors(client, errors);
  const counted = new Set(await countDeliveries(client, deliveries));
  await markRatesDue(client, [...unshown, ...[...counted].map(({ recordId }) => recordId)]);
  return deliveries.map((delivery) => (counted.has(delivery) ? 'stored' : 'duplicate'));
}
