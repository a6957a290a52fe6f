import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@plugin-config/domain';

interface Tries {
  readonly tries?: number;
  readonly pauseMs?: number;
}

/** Retries work that timed out on a lock or lost a race. Each attempt waits for the lock again. */
export async function retryWhenBusy<T>(
  work: () => Promise<T>,
  { tries = 20, pauseMs = 0 }: Tries = {},
): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw error;
    }
    if (pauseMs > 0) await sleep(pauseMs);
  }
}

/** Resolves to null if the work timed out on a lock or lost a race. */
export async function nullIfBusy<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'busy';
}
