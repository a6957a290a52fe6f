import type { DOCUMENT_ERRORS, SHARED_ERRORS } from '../vocabulary/vocabulary.ts';

export type DomainErrorCode =
  | (typeof SHARED_ERRORS)[number]
  | (typeof DOCUMENT_ERRORS)[number]
  | 'scope_missing'
  | 'project_forbidden'
  | 'not_granted'
  | 'project_not_found'
  | 'too_large'
  | 'content_too_large'
  | 'stale_version'
  | 'busy'
  | 'key_missing';

interface DomainErrorOptions {
  /** The field or parameter at fault. */
  readonly attr?: string;
  /** How long to wait before retrying. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** All validation errors, including this one. */
  readonly errors?: readonly DomainError[];
}

/** The only error the domain throws. Its message is written for the caller. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  readonly attr: string | null;
  readonly retryAfterSeconds: number | null;
  /** All validation errors, including this one; null if validation stopped at the first. */
  readonly errors: readonly DomainError[] | null;

  constructor(code: DomainErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.attr = options.attr ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.errors = options.errors ?? null;
  }
}

/** For a request based on commits that another server may lack. */
export function failedOver(): DomainError {
  return new DomainError('unavailable', 'The database has just failed over to another server.', {
    retryAfterSeconds: 1,
  });
}

const TRANSIENT: ReadonlySet<DomainErrorCode> = new Set(['unavailable', 'busy', 'key_missing']);

/** Whether the error is temporary and a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof DomainError && TRANSIENT.has(error.code);
}

/** The message for work whose time is up. */
export const TOO_BUSY = 'The service is too busy to do this in time.';

/** How long a request may wait for locks, permits and the like before it is rejected. */
export const TIMEOUT_MS = 4_000;

/** For an id that does not exist, or that the caller may not know about. */
export function notFound(): DomainError {
  return new DomainError('not_found', 'Not found.');
}

/** For a field or parameter with a wrong value. */
export function invalidInput(attr: string, message: string): DomainError {
  return new DomainError('invalid_input', message, { attr });
}

/** For a value that has to be unique. */
export function alreadyExists(attr: string, message: string): DomainError {
  return new DomainError('already_exists', message, { attr });
}

/** For a caller whose deadline passed before its work began. */
export function timedOut(): DomainError {
  return new DomainError('busy', TOO_BUSY, { retryAfterSeconds: 2 });
}

/** For a change that keeps losing to concurrent changes. */
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
