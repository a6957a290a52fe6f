import type pg from 'pg';
import { flagAt } from './columns.ts';
import { onConnection, prepared, run } from './statement.ts';

const TRY_LOCK = prepared('try_exclusive_lock')`select pg_try_advisory_lock($1)`;
const UNLOCK = prepared('release_exclusive_lock')`select pg_advisory_unlock($1)`;

/**
 * Runs the work while this process has the advisory lock; returns null if another process has it. Losing the connection also
 * releases the lock, so another process may start before the work ends.
 */
export function exclusively<T>(pool: pg.Pool, lock: bigint, work: () => Promise<T>): Promise<T | null> {
  const parameters = [String(lock)];
  return onConnection(pool, async (client) => {
    const [row] = await run(client, TRY_LOCK, parameters);
    if (row === undefined || !flagAt(row, 0)) return null;
    const result = await work();
    await run(client, UNLOCK, parameters);
    return result;
  });
}
