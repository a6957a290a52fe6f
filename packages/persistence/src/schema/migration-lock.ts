import type pg from 'pg';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';

const WAIT_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface LockOptions {
  /** Called with a message if another process holds the lock. */
  readonly onWait?: (line: string) => void;
  readonly waitMs?: number;
}

/** Runs the work in a transaction that holds the migration lock. */
export async function withMigrationLock<T>(
  pool: pg.Pool,
  { onWait, waitMs = WAIT_MS }: LockOptions,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(
      `begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0;
       set local lock_timeout = ${waitMs}`,
    );
    const { rows } = await client.query<{ readonly free: boolean }>(
      'select pg_try_advisory_xact_lock($1) as free',
      [ADVISORY_LOCK.migration],
    );
    if (rows[0]?.free !== true) await waitForLock(client, `${waitMs / 1000} s`, onWait);
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    client.release(true);
  }
}

async function waitForLock(
  client: pg.ClientBase,
  timeout: string,
  onWait: LockOptions['onWait'],
): Promise<void> {
  onWait?.(`Another process is already migrating this database: waiting for it, for up to ${timeout}.`);
  try {
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK.migration]);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE)) throw error;
    throw new Error(
      `Another process has been migrating this database for more than ${timeout}: wait until it ends, or stop it, then migrate again.`,
      { cause: error },
    );
  }
}
