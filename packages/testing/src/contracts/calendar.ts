import { DAY_MS, startOfDay } from '@plugin-config/domain';
import { vi } from 'vitest';

/** An upper bound for the duration of a test. */
const LONG_ENOUGH_MS = 3_000;

/** Returns the start of the n-th day from today. Waits for the next day if a test would run past midnight. */
export async function calendar(): Promise<(n: number) => number> {
  const isEnoughLeft = (): boolean => DAY_MS - (Date.now() % DAY_MS) > LONG_ENOUGH_MS;
  await vi.waitUntil(isEnoughLeft, { timeout: 2 * LONG_ENOUGH_MS });
  const today = startOfDay(Date.now());
  return (n) => today + n * DAY_MS;
}
