import type pg from 'pg';
import { nullIfBusy, retryWhenBusy } from '../../postgres/busy.ts';
import { withoutLongReaders } from './long-readers.ts';

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
