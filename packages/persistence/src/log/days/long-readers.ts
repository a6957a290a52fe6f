import type pg from 'pg';
import { ADVISORY_LOCK } from '../../postgres/advisory-locks.ts';
import { allowSilence } from '../../postgres/silence.ts';
import { execute, inTransaction } from '../../postgres/in-transaction.ts';

/** Longer than the time limit of any search. */
const LONGEST_READ_MS = 65_000;

/** Taken by a long reader before it locks any table, and held until its transaction ends. */
export const LOCK_AS_LONG_READER = `select pg_advisory_xact_lock_shared(${ADVISORY_LOCK.longReaders})`;

/**
 * Runs the work with all long readers locked out: waits for current ones, and new ones wait. Delays nothing else.
 * @throws DomainError `busy` if a reader takes too long
 */
export async function withoutLongReaders<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const begin = `begin; set local statement_timeout = 0; set local lock_timeout = ${LONGEST_READ_MS}`;
  return inTransaction(pool, begin, async (client) => {
    await allowSilence(client, LONGEST_READ_MS, () =>
      execute(client, `select pg_advisory_xact_lock(${ADVISORY_LOCK.longReaders})`),
    );
    return work();
  });
}
