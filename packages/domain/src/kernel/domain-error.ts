export type DomainErrorCode =
  | 'not_authenticated'
  | 'authentication_failed'
  | 'scope_missing'
  | 'project_forbidden'
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
  | 'stale_version'
  | 'job_not_queued'
  | 'throttled'
  | 'busy'
  | 'key_missing'
  | 'unavailable';

interface DomainErrorOptions {
  /** The field or parameter at fault. */
  readonly attr?: string;
  /** When it is worth trying again. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The one error that the core throws: what went wrong, told to the caller in `message`. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  readonly attr: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: DomainErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.attr = options.attr ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

const PASSING: ReadonlySet<DomainErrorCode> = new Set(['unavailable', 'busy', 'key_missing']);

/** Refused for now, by nobody's fault: it may be asked again. */
export function isPassing(error: unknown): boolean {
  return error instanceof DomainError && PASSING.has(error.code);
}
