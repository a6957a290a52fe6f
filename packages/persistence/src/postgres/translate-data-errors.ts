import { DomainError } from '@plugin-config/domain';

/** SQLSTATE classes of errors about the content or size of a value. */
const DATA_ERRORS = new Set(['22', '23', '54']);

/** @throws DomainError `invalid_input` if the database refuses the data */
export async function translateDataErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDataError(error)) throw error;
    throw new DomainError('invalid_input', 'Something in the batch cannot be stored.', { cause: error });
  }
}

function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return DATA_ERRORS.has(code.slice(0, 2));
}
