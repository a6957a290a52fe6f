import { asStep } from '@plugin-config/tracing';
import { timedOut } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { tracedStatement, translated } from './statement.ts';

const TRANSACTION = { name: 'transaction' };

/** Runs the work on one connection between `begin` and `commit`. If it throws, the transaction is rolled back. */
export function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return asStep(TRANSACTION, () => transaction(pool, begin, work))();
}

async function transaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await translated(() => pool.connect());
  let broken = false;
  try {
    await execute(client, begin);
    const result = await work(client);
    await execute(client, 'commit');
    return result;
  } catch (error) {
    broken = !(await isRolledBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** A statement ends this much later than its wait for a lock, which is to be told from an outage. */
const STATEMENT_MARGIN_MS = 100;

/** Runs statements within the time that is left. */
export type Within = <T>(statements: () => Promise<T>) => Promise<T>;

/**
 * Runs the work in a transaction, which is rolled back if the time is over before its end. Waits and statements get the time
 * left at the beginning; PostgreSQL counts it for each of them, so the work passes statements after a wait to `within`.
 * @throws DomainError `busy` if the time is over
 */
export function inTransactionWithin<T>(
  pool: pg.Pool,
  { deadline, begin = 'begin' }: { readonly deadline: Deadline | undefined; readonly begin?: string },
  work: (client: pg.PoolClient, within: Within) => Promise<T>,
): Promise<T> {
  if (deadline === undefined) return inTransaction(pool, begin, (client) => work(client, (run) => run()));
  return inTransaction(pool, `${begin}; ${limitsOf(deadline)}`, async (client) => {
    const result = await work(client, async (run) => {
      if (deadline.remainingMs() <= 0) throw timedOut();
      await execute(client, limitsOf(deadline));
      return run();
    });
    if (deadline.remainingMs() <= 0) throw timedOut();
    return result;
  });
}

/** Limits the waits for locks and the statements of a transaction. */
function limitsOf(deadline: Deadline): string {
  const left = lockTimeout(deadline);
  return `set local lock_timeout = ${left}; set local statement_timeout = ${left + STATEMENT_MARGIN_MS}`;
}

/** The remaining deadline in whole milliseconds; 0 would be no limit. */
export function lockTimeout(deadline: Deadline): number {
  return Math.ceil(Math.max(1, deadline.remainingMs()));
}

/** A lost connection fails at once. */
function isRolledBack(client: pg.ClientBase): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** Runs one or several statements without parameters. */
export async function execute(client: pg.ClientBase, text: string): Promise<void> {
  await translated(tracedStatement(text, () => client.query(text)));
}
