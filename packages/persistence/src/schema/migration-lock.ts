import type pg from 'pg';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';

const WAIT_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';

const HOLDER = `
  select a.pid, host(a.client_addr) as address
  from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32) | l.objid::bigint = $1`;

export interface LockOptions {
  /** Called with a message about the process that the migration waits for. */
  readonly onWait?: (line: string) => void;
  readonly waitMs?: number;
}

/** Runs the work under the migration lock, which always ends with its transaction. */
export async function withMigrationLock<T>(
  pool: pg.Pool,
  { onWait, waitMs = WAIT_MS }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(
      `begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0;
       set local lock_timeout = ${waitMs}`,
    );
    if (!(await isFree(client))) await waitForLock(client, waitMs, onWait);
    return await work();
  } finally {
    client.release(true);
  }
}

async function isFree(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ readonly free: boolean }>(
    'select pg_try_advisory_xact_lock($1) as free',
    [ADVISORY_LOCK.migration],
  );
  return rows[0]?.free === true;
}

async function waitForLock(
  client: pg.ClientBase,
  waitMs: number,
  onWait: LockOptions['onWait'],
): Promise<void> {
  const holder = await nameHolder(client);
  const timeout = `${waitMs / 1000} s`;
  onWait?.(`${holder} is already migrating this database: waiting for it, for up to ${timeout}.`);
  try {
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK.migration]);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE)) throw error;
    throw new Error(
      `${holder} has been migrating this database for more than ${timeout}: wait until it ends, or end it, and migrate again.`,
      { cause: error },
    );
  }
}

async function nameHolder(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ readonly pid: number; readonly address: string | null }>(HOLDER, [
    ADVISORY_LOCK.migration,
  ]);
  const [holder] = rows;
  if (holder === undefined) return 'Another process';
  return `Another process (backend ${holder.pid} of PostgreSQL, connected from ${holder.address ?? 'the same host'})`;
}
