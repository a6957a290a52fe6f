import { traced } from '@plugin-config/tracing';
import { timedOut } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { LOCK_TIMEOUT } from './session.ts';
import { tracedStatement, translated } from './statement.ts';

const TRANSACTION = { name: 'transaction' };

/** Runs the work in a transaction, which is rolled back if the work throws. */
export function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return traced(TRANSACTION, async () => {
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
  })();
}

/** Statements time out this much later than their wait for a lock, to distinguish lock timeouts from outages. */
const STATEMENT_MARGIN_MS = 100;

/** Runs statements within the remaining time. */
export type Within = <T>(statements: () => Promise<T>) => Promise<T>;

/**
 * Runs the work in a transaction, which is rolled back if the deadline passes before its end. PostgreSQL applies the remaining
 * time to each lock and statement separately, so the work has to use `within` for statements that follow a wait.
 * @throws DomainError `busy` if the deadline passes
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

/** Returns the settings that limit lock waits and statements to the deadline. */
function limitsOf(deadline: Deadline): string {
  const timeout = lockTimeout(deadline);
  return `set local lock_timeout = ${timeout}; set local statement_timeout = ${timeout + STATEMENT_MARGIN_MS}`;
}

/** Returns the remaining time in whole milliseconds, but at least 1, since 0 means no limit. */
export function lockTimeout(deadline: Deadline | undefined): number {
  return deadline === undefined ? LOCK_TIMEOUT : Math.ceil(Math.max(1, deadline.remainingMs()));
}

/** Rolls back. Resolves to false, without delay, if the connection is lost. */
function isRolledBack(client: pg.ClientBase): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** Runs one or more statements without parameters. */
export async function execute(client: pg.ClientBase, text: string): Promise<void> {
  await translated(tracedStatement(text, () => client.query(text)));
}
