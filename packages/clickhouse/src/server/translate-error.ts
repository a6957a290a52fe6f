import { DomainError } from '@plugin-config/domain';

const RETRY_AFTER_SECONDS = 2;
const NOT_ENOUGH_SPACE = 243;
/** Matches the error of a disk that fills up during a write. */
const NO_SPACE_LEFT = /No space left on device/;

/**
 * Runs the work and translates its errors to `unavailable`. All values are checked before they are sent, so an error comes from
 * the server, its settings or its load, and a retry may succeed.
 */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new DomainError('unavailable', messageOf(error), {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}

function messageOf(error: unknown): string {
  const code = serverErrorCode(error);
  if (code === null) return 'ClickHouse is unreachable.';
  const isFull = code === NOT_ENOUGH_SPACE || (error instanceof Error && NO_SPACE_LEFT.test(error.message));
  return isFull ? 'ClickHouse has no disk space left.' : `ClickHouse failed with error ${code}.`;
}

/** Returns the server's error number; null if the error does not come from the server. */
export function serverErrorCode(error: unknown): number | null {
  const cause = error instanceof DomainError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? Number(cause.code) : Number.NaN;
  return Number.isInteger(code) ? code : null;
}
