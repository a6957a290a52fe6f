import type { Database } from '../../postgres/database.ts';
import { run, type Statement } from '../../postgres/statement.ts';

/** The days that are kept of logs, and of deliveries. */
export interface KeptDays {
  readonly retentionDays: number;
  readonly deliveryRetentionDays: number;
}

/**
 * The locks of a statement that reads all days: for each day, and beside that, also for days outside the retention. Measured: a planned
 * page locks two tables of a day with their indexes, deliveries one table with its index.
 */
const LOCKS = {
  LOG_RETENTION_DAYS: { aDay: 5, beside: 80 },
  DELIVERY_RETENTION_DAYS: { aDay: 2, beside: 20 },
} as const;
/** The lock table of the server has this many times the entries that the setting says, times its connections. */
const ROOM = 2;

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
  const { aDay, beside } = LOCKS[setting];
  return { setting, days, locks: Math.ceil((aDay * days + beside) / ROOM) };
}

/** The setting that needs the larger lock table. */
function largestNeed({ retentionDays, deliveryRetentionDays }: KeptDays): Need {
  const logs = need('LOG_RETENTION_DAYS', retentionDays);
  const deliveries = need('DELIVERY_RETENTION_DAYS', deliveryRetentionDays);
  return logs.locks >= deliveries.locks ? logs : deliveries;
}

/** The `max_locks_per_transaction` with which all connections can read this many days at once. */
export function locksPerTransaction(kept: KeptDays): number {
  return largestNeed(kept).locks;
}

/** A message about a lock table that is too small for the retention; null if it is large enough. */
export async function lockTableProblem(
  { pool }: Pick<Database, 'pool'>,
  kept: KeptDays,
): Promise<string | null> {
  const [row] = await run(pool, SETTING, []);
  const current = Number(row?.[0]);
  const { setting, days, locks } = largestNeed(kept);
  if (current >= locks) return null;
  return `${setting}=${days} needs max_locks_per_transaction = ${locks} or more in PostgreSQL, where it is ${current}: set it and restart PostgreSQL, or keep fewer days.`;
}
