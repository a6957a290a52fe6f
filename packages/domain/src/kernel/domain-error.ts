export type DomainErrorCode =
  | 'not_authenticated'
  | 'authentication_failed'
  | 'scope_missing'
  | 'project_forbidden'
  | 'not_granted'
  | 'project_not_found'
  | 'not_found'
  | 'required'
  | 'null'
  | 'blank'
  | 'invalid_input'
  | 'max_length'
  | 'max_value'
  | 'does_not_exist'
  | 'too_large'
  | 'content_too_large'
  | 'stale_version'
  | 'job_not_queued'
  | 'managed_by_another'
  | 'prevent_destroy'
  | 'too_many_deletes'
  | 'idempotency_mismatch'
  | 'idempotency_in_flight'
  | 'throttled'
  | 'busy'
  | 'key_missing'
  | 'unavailable';

interface DomainErrorOptions {
  /** The field or parameter at fault. */
  readonly attr?: string;
  /** The seconds to wait before the next attempt. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** Everything that is wrong, this included. */
  readonly errors?: readonly DomainError[];
}

/** The only error of the domain. Its message is for the caller. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  readonly attr: string | null;
  readonly retryAfterSeconds: number | null;
  /** Everything that is wrong, this included; null if only the first error was looked for. */
  readonly errors: readonly DomainError[] | null;

  constructor(code: DomainErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.attr = options.attr ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.errors = options.errors ?? null;
  }
}

const TRANSIENT: ReadonlySet<DomainErrorCode> = new Set(['unavailable', 'busy', 'key_missing']);

/** Whether the rejection is temporary, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof DomainError && TRANSIENT.has(error.code);
}

/** The longest time that a request waits for locks, limits and others before it is rejected. */
export const TIMEOUT_MS = 4_000;

/** The error of an id that names nothing, or nothing that the caller may know of. */
export function notFound(): DomainError {
  return new DomainError('not_found', 'Not found.');
}

/** The error of a caller whose deadline ran out before its work began. */
export function timedOut(): DomainError {
  return new DomainError('busy', 'The service is too busy to do this in time.', { retryAfterSeconds: 2 });
}

/** The error of a change that others prevent. */
export function tooManyChanges(options: {
  readonly retryAfterSeconds: number;
  readonly cause?: unknown;
}): DomainError {
  return new DomainError(
    'busy',
    'Too many other requests are changing this at the moment. Try again.',
    options,
  );
}
