import type { Database } from '../../postgres/database.ts';
import { prepared, run } from '../../postgres/statement.ts';

/**
 * The measured locks of a statement that reads a page: planning it locks the partition of each day with its indexes. `FIXED` includes
 * days outside the retention.
 */
const [PER_DAY, FIXED] = [3, 80];
/** The lock table of the server has room for about this many times the setting, for each connection. */
const LOCK_TABLE_FACTOR = 2;

const SETTING = prepared('max_locks_per_transaction')`select current_setting('max_locks_per_transaction')`;

/** Returns the `max_locks_per_transaction` with which all connections can read this many days of logs at once. */
export function locksPerTransaction(retentionDays: number): number {
  return Math.ceil((PER_DAY * retentionDays + FIXED) / LOCK_TABLE_FACTOR);
}

/** Returns a message if the lock table is too small for the retention; null if it is large enough. */
export async function lockTableProblem(
  { pool }: Pick<Database, 'pool'>,
  { retentionDays }: { readonly retentionDays: number },
): Promise<string | null> {
  const [row] = await run(pool, SETTING, []);
  const current = Number(row?.[0]);
  const locks = locksPerTransaction(retentionDays);
  if (current >= locks) return null;
  return `LOG_RETENTION_DAYS=${retentionDays} needs max_locks_per_transaction = ${locks} or more in PostgreSQL, but it is ${current}: set it and restart PostgreSQL, or keep fewer days.`;
}
