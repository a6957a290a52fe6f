import type pg from 'pg';
import { nullIfBusy } from '../postgres/busy.ts';
import { numberAt } from '../postgres/columns.ts';
import { execute, inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';

/** The partitions: three for the last three days, and two empty. The next day's has ids if the clock was ahead. */
const REPORT_DAYS = 5;

export const TODAY = `((now() at time zone 'UTC')::date - date 'epoch') % ${REPORT_DAYS}`;

const OLDEST = prepared('oldest_partition_of_report_ids')`select (${TODAY} + 2) % ${REPORT_DAYS}`;

const BEGIN = `begin; set local lock_timeout = '250ms'`;

/** Empties the partition of three days ago. If it is in use, leaves it to the next call. */
export async function forgetReportIds(pool: pg.Pool): Promise<void> {
  const [row = []] = await run(pool, OLDEST, []);
  const partition = `delivery_report_${numberAt(row, 0)}`;
  const [hasIds] = await run(pool, { name: '', text: `select from ${partition} limit 1` }, []);
  if (hasIds === undefined) return;
  await nullIfBusy(() => inTransaction(pool, BEGIN, (client) => execute(client, `truncate ${partition}`)));
}
