import type pg from 'pg';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { bearSilence } from '../postgres/silence.ts';
import { execute, inTransaction } from '../postgres/in-transaction.ts';

/** Longer than any search may take. */
const LONGEST_READ_MS = 65_000;

/** A long reader passes it before it takes any table, and holds it until the end of its transaction. */
export const PASS_GATE = `select pg_advisory_xact_lock_shared(${ADVISORY_LOCK.logGate})`;

/**
 * Does the work while no long reader reads: those who read are waited for, those who come wait. Nobody else is held
 * up meanwhile. @throws DomainError `busy` where somebody reads for too long
 */
export async function behindGate<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const begin = `begin; set local statement_timeout = 0; set local lock_timeout = ${LONGEST_READ_MS}`;
  return inTransaction(pool, begin, async (client) => {
    await bearSilence(client, LONGEST_READ_MS, () =>
      execute(client, `select pg_advisory_xact_lock(${ADVISORY_LOCK.logGate})`),
    );
    return work();
  });
}
