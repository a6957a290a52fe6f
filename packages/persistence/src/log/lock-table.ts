import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** Measured: a page that is planned locks two tables of each day with their indexes. */
const LOCKS_A_DAY = 5;
/** Other locks, and days beside those that are kept. */
const LOCKS_BESIDE = 80;
/** The server has room for twice as many holders of locks as this setting says, times its connections. */
const ROOM = 2;

const SETTING: Statement = {
  name: 'max_locks_per_transaction',
  text: `select current_setting('max_locks_per_transaction')`,
};

/** The `max_locks_per_transaction` with which every connection at once may read so many days. */
export function locksPerTransaction(retentionDays: number): number {
  return Math.ceil((LOCKS_A_DAY * retentionDays + LOCKS_BESIDE) / ROOM);
}

/** Why the server's lock table cannot hold so many days, and what to do; null where it can. */
export async function lockTableProblem(
  { pool }: Pick<Database, 'pool'>,
  retentionDays: number,
): Promise<string | null> {
  const [row] = await run(pool, SETTING, []);
  const [given, needed] = [Number(row?.[0]), locksPerTransaction(retentionDays)];
  if (given >= needed) return null;
  return `LOG_RETENTION_DAYS=${retentionDays} needs max_locks_per_transaction = ${needed} or more in PostgreSQL, where it is ${given}: set it and restart PostgreSQL, or keep fewer days.`;
}
