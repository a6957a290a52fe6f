import { DomainError } from '@plugin-config/domain';

const ATTEMPTS = 20;

/** Retries work that timed out on a lock. Each attempt queues for the lock again. */
export async function retryWhenBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'busy' && error.cause !== undefined;
}
