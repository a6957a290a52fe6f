import { DomainError } from '@plugin-config/domain';
import { isDataError } from './translate-error.ts';

/** @throws DomainError `invalid_input` if the database rejects the data */
export async function translateDataErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDataError(error)) throw error;
    throw new DomainError('invalid_input', 'The batch contains data that cannot be stored.', {
      cause: error,
    });
  }
}
