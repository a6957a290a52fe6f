import { DomainError } from '@plugin-config/domain';

const ATTEMPTS = 20;

/** Does it again where a lock could not be had in time: each attempt waits for the lock in its turn. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
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
