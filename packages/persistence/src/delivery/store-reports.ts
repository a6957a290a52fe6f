import type { Reports } from '@plugin-config/domain';
import type pg from 'pg';
import { countDeliveries } from './count-deliveries.ts';
import { makeDue } from './make-due.ts';
import { reportErrors } from './report-errors.ts';

/** Stores what plugins report, within somebody's transaction. Resolves to what became of the deliveries. */
export async function storeReports(
  client: pg.ClientBase,
  { deliveries, errors }: Reports,
): Promise<readonly ('stored' | 'duplicate')[]> {
  const unshown = await reportErrors(client, errors);
  const counted = new Set(await countDeliveries(client, deliveries));
  await makeDue(client, [...unshown, ...[...counted].map(({ recordId }) => recordId)]);
  return deliveries.map((delivery) => (counted.has(delivery) ? 'stored' : 'duplicate'));
}
