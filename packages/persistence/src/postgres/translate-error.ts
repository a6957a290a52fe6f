import { DomainError, tooManyChanges } from '@plugin-config/domain';

const RETRY_AFTER_SECONDS = 2;

const QUERY_CANCELED = '57014';
const LOST_A_RACE = new Set(['40001', '40P01', '55P03']);
/** SQLSTATE classes of errors about the content or size of a value. */
const DATA_ERRORS = new Set(['22', '23', '54']);
/** The SQLSTATE class of a statement that the server rejects: it is wrong, or the role lacks a right. */
const MISTAKE = '42';
/** The errors of JavaScript that a mistake in the code throws. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Translates an error of the driver or the ORM to a domain error. Returns mistakes and data errors unchanged: after these,
 * nothing is stored. After any other error that may be unknown, so whoever sends the work again may store it twice.
 */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = codeOf(error);
  if (LOST_A_RACE.has(code)) {
    return tooManyChanges({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
  if (isDataError(error) || isMistake(error)) return error;
  return new DomainError('unavailable', 'The database is out of reach.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

/** Returns true for the translated error of a statement that reached its time limit. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DomainError && codeOf(error.cause) === QUERY_CANCELED;
}

/** Returns true if the server rejected the data: it has stored nothing, and other data may be stored. */
export function isDataError(error: unknown): boolean {
  return DATA_ERRORS.has(codeOf(error).slice(0, 2));
}

function isMistake(error: Error): boolean {
  return codeOf(error).startsWith(MISTAKE) || MISTAKES.some((kind) => error instanceof kind);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
