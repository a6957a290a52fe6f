import { DomainError, TOO_BUSY, tooManyChanges } from '@plugin-config/domain';

const RETRY_AFTER_SECONDS = 2;

const UNIQUE_VIOLATION = '23505';
const QUERY_CANCELED = '57014';
/** The error of the pool for a caller that has waited too long for a connection. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';
const LOST_A_RACE = new Set(['40001', '40P01', '55P03']);
/** SQLSTATE classes of errors about the content or size of a value. */
const DATA_ERRORS = new Set(['22', '23', '54']);
/** The SQLSTATE class of statements that are invalid, or that the role may not run. */
const STATEMENT_ERROR = '42';
/** JavaScript errors caused by bugs in the code. */
const BUG_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Translates an error of the driver to a domain error. Returns bugs and data errors unchanged: after these, nothing is
 * stored. After any other error, the work may have been stored, so a retry may store it twice.
 */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = codeOf(error);
  if (LOST_A_RACE.has(code)) {
    return tooManyChanges({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
  if (isDataError(error) || isBug(error)) return error;
  const isTimeUp = code === QUERY_CANCELED || error.message === NO_FREE_CONNECTION;
  // Not `busy`, since writes are retried at once after that error.
  return new DomainError('unavailable', isTimeUp ? TOO_BUSY : 'The database is unreachable.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

/** Returns whether a translated error means that a statement timed out. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DomainError && codeOf(error.cause) === QUERY_CANCELED;
}

/** Returns a handler that turns the timeout of a statement into an `invalid_input` error, and rethrows other errors. */
export function translateTimeout(attr: string, detail: string): (error: unknown) => never {
  return (error) => {
    throw isTimeout(error) ? new DomainError('invalid_input', detail, { attr, cause: error }) : error;
  };
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

/** Returns whether the server rejected the data. It has stored nothing then, and may accept other data. */
export function isDataError(error: unknown): boolean {
  return DATA_ERRORS.has(codeOf(error).slice(0, 2));
}

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

function isBug(error: Error): boolean {
  return codeOf(error).startsWith(STATEMENT_ERROR) || BUG_ERRORS.some((kind) => error instanceof kind);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
