import { DomainError } from '@plugin-config/domain';

/** Resolves to null if the work could not get a lock in time. */
export async function nullIfBusy<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'busy') return null;
    throw error;
  }
}
