import type pg from 'pg';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { allowSilence } from '../postgres/silence.ts';
import { execute, inTransaction } from '../postgres/in-transaction.ts';

/** Longer than any search may take. */
const LONGEST_READ_MS = 65_000;

/** A long reader passes it before it takes any table, and holds it until the end of its transaction. */
export const LOCK_AS_LONG_READER = `select pg_advisory_xact_lock_shared(${ADVISORY_LOCK.longReaders})`;

/**
 * Does the work while no long reader reads: those who read are waited for, those who come wait. Nobody else is held
 * up meanwhile. @throws DomainError `busy` where somebody reads for too long
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
