import { DomainError } from '@plugin-config/domain';

/** Null where somebody else held for too long what the work needs. */
export async function unlessBusy<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'busy') return null;
    throw error;
  }
}
