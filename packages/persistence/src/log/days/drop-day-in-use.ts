import type pg from 'pg';
import { ADVISORY_LOCK } from '../../postgres/advisory-locks.ts';
import { nullIfBusy, retryWhenBusy } from '../../postgres/busy.ts';
import { execute, inTransaction } from '../../postgres/in-transaction.ts';
import { allowSilence } from '../../postgres/silence.ts';

/** Few, since each attempt may briefly delay other sessions. */
const ATTEMPTS = { tries: 3, pauseMs: 300 };

/**
 * Drops a day that may be in use: retries, then locks out long readers and retries again.
 * @throws DomainError `busy` if the day is still in use
 */
export async function dropDayInUse<T>(pool: pg.Pool, drop: () => Promise<T>): Promise<T> {
  const attempt = () => retryWhenBusy(drop, ATTEMPTS);
  return (await nullIfBusy(attempt)) ?? withoutLongReaders(pool, attempt);
}

/** Longer than the time limit of any search. */
const LONGEST_READ_MS = 65_000;

/** Long readers take this lock before they lock any table, and hold it until their transaction ends. */
export const LOCK_AS_LONG_READER = `select pg_advisory_xact_lock_shared(${ADVISORY_LOCK.longReaders})`;

/**
 * Runs the work while no long reader runs: waits for current readers, and delays new readers. Blocks no one else.
 * @throws DomainError `busy` if a reader takes too long
 */
async function withoutLongReaders<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const begin = `begin; set local statement_timeout = 0; set local lock_timeout = ${LONGEST_READ_MS}`;
  return inTransaction(pool, begin, async (client) => {
    await allowSilence(client, LONGEST_READ_MS, () =>
      execute(client, `select pg_advisory_xact_lock(${ADVISORY_LOCK.longReaders})`),
    );
    return work();
  });
}
