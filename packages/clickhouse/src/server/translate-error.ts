import { DomainError } from '@plugin-config/domain';

const RETRY_AFTER_SECONDS = 2;

/**
 * Runs the work, and translates its errors. All values are checked before they are sent, so whatever the server refuses is a
 * matter of the server, its settings or its load, and is worth another attempt.
 */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new DomainError('unavailable', 'ClickHouse is out of reach.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}

/** The number of an error of the server; null if another one is the cause. */
export function serverErrorCode(error: unknown): number | null {
  const cause = error instanceof DomainError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? Number(cause.code) : Number.NaN;
  return Number.isInteger(code) ? code : null;
}
