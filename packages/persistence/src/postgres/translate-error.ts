import { DomainError, tooManyChanges } from '@plugin-config/domain';

const RETRY_AFTER_SECONDS = 2;

const QUERY_CANCELED = '57014';

/** SQLSTATEs, or their classes, of a server that is unavailable. */
const UNAVAILABLE = new Set([
  '08',
  '28',
  '53',
  '58',
  '3D000',
  '25006',
  '25P03',
  QUERY_CANCELED,
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
]);
const LOST_A_RACE = new Set(['40001', '40P01', '55P03']);
/** System error codes of a lost or refused connection. */
const SYSTEM_CODE =
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOST(UNREACH|DOWN)|NET(UNREACH|DOWN)|ADDRNOTAVAIL|NOENT|MFILE)$/;
/** Messages of the driver, without a code, about a lost connection. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end)/;

/** Translates an error of the driver or the ORM to a domain error; returns an unknown one unchanged. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (LOST_A_RACE.has(code)) {
    return tooManyChanges({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
  if (isUnavailable(code, error.message)) {
    return new DomainError('unavailable', 'The database is out of reach.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
  return error;
}

/** Returns true for the translated error of a statement that reached its time limit. */
export function isTimeout(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === QUERY_CANCELED;
}

function isUnavailable(code: string, message: string): boolean {
  if (code === '') return DRIVER_MESSAGE.test(message);
  return UNAVAILABLE.has(code) || UNAVAILABLE.has(code.slice(0, 2)) || SYSTEM_CODE.test(code);
}
