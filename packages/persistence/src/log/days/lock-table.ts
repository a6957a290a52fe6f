import type { Database } from '../../postgres/database.ts';
import { run, type Statement } from '../../postgres/statement.ts';

export interface KeptDays {
  readonly retentionDays: number;
  readonly deliveryRetentionDays: number;
}

/**
 * The measured locks of a statement that reads all days, where `fixed` includes days outside the retention. Planning a page
 * locks two tables per day with their indexes; deliveries lock one table with its index.
 */
const LOCKS = {
  LOG_RETENTION_DAYS: { perDay: 5, fixed: 80 },
  DELIVERY_RETENTION_DAYS: { perDay: 2, fixed: 20 },
} as const;
/** The lock table of the server has room for about this many times the setting, for each connection. */
const LOCK_TABLE_FACTOR = 2;

const SETTING: Statement = {
  name: 'max_locks_per_transaction',
  text: `select current_setting('max_locks_per_transaction')`,
};

interface Need {
  readonly setting: keyof typeof LOCKS;
  readonly days: number;
  readonly locks: number;
}

function need(setting: Need['setting'], days: number): Need {
  const { perDay, fixed } = LOCKS[setting];
  return { setting, days, locks: Math.ceil((perDay * days + fixed) / LOCK_TABLE_FACTOR) };
}

/** Returns the setting that needs the larger lock table. */
function largestNeed({ retentionDays, deliveryRetentionDays }: KeptDays): Need {
  const logs = need('LOG_RETENTION_DAYS', retentionDays);
  const deliveries = need('DELIVERY_RETENTION_DAYS', deliveryRetentionDays);
  return logs.locks >= deliveries.locks ? logs : deliveries;
}

/** Returns the `max_locks_per_transaction` with which all connections can read this many days at once. */
export function locksPerTransaction(kept: KeptDays): number {
  return largestNeed(kept).locks;
}

/** Returns a message if the lock table is too small for the retention; null if it is large enough. */
export async function lockTableProblem(
  { pool }: Pick<Database, 'pool'>,
  kept: KeptDays,
): Promise<string | null> {
  const [row] = await run(pool, SETTING, []);
  const current = Number(row?.[0]);
  const { setting, days, locks } = largestNeed(kept);
  if (current >= locks) return null;
  return `${setting}=${days} needs max_locks_per_transaction = ${locks} or more in PostgreSQL, but it is ${current}: set it and restart PostgreSQL, or keep fewer days.`;
}
