import type { Database } from '../../postgres/database.ts';
import { run, type Statement } from '../../postgres/statement.ts';

/** The locks of a planned page per day: two tables with their indexes, measured. */
const LOCKS_A_DAY = 5;
/** Other locks, and days outside the retention. */
const LOCKS_BESIDE = 80;
/** The lock table of the server has this many times the entries that the setting says, times its connections. */
const ROOM = 2;

const SETTING: Statement = {
  name: 'max_locks_per_transaction',
  text: `select current_setting('max_locks_per_transaction')`,
};

/** The `max_locks_per_transaction` with which all connections can read this many days at once. */
export function locksPerTransaction(retentionDays: number): number {
  return Math.ceil((LOCKS_A_DAY * retentionDays + LOCKS_BESIDE) / ROOM);
}

/** A message about a lock table that is too small for the retention; null if it is large enough. */
export async function lockTableProblem(
  { pool }: Pick<Database, 'pool'>,
  retentionDays: number,
): Promise<string | null> {
  const [row] = await run(pool, SETTING, []);
  const [current, needed] = [Number(row?.[0]), locksPerTransaction(retentionDays)];
  if (current >= needed) return null;
  return `LOG_RETENTION_DAYS=${retentionDays} needs max_locks_per_transaction = ${needed} or more in PostgreSQL, where it is ${current}: set it and restart PostgreSQL, or keep fewer days.`;
}
