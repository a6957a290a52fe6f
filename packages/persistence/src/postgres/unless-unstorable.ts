import { DomainError } from '@plugin-config/domain';

/** Classes of SQLSTATEs that speak of the data: what a value holds, or how large it is. */
const DATA_ERRORS = new Set(['22', '23', '54']);

/** @throws DomainError `invalid_input` where the database refuses the data */
export async function unlessUnstorable<T>(work: () => Promise<T>): Promise<T> {
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
