import type { EditedRecord, OwnedRecord } from './declaration.ts';

/** The body of an error response. */
export interface ErrorBody {
  readonly type: ErrorType;
  readonly code: ErrorCode;
  readonly detail: string;
  /** The field or parameter that caused the error. */
  readonly attr: string | null;
  /** All errors in a configuration, including the first. */
  readonly errors?: readonly OneError[] | undefined;
  /** The records that have changed since the plan was made. */
  readonly changed?: readonly EditedRecord[] | undefined;
  /** The records that another manager owns. */
  readonly conflicts?: readonly OwnedRecord[] | undefined;
}

export interface OneError {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly attr: string | null;
}

export type ErrorType =
  | 'authentication_error'
  | 'invalid_request'
  | 'validation_error'
  | 'throttled_error'
  | 'server_error';

export type ErrorCode =
  | 'not_authenticated'
  | 'authentication_failed'
  | 'permission_denied'
  | 'not_found'
  | 'required'
  | 'null'
  | 'blank'
  | 'invalid_input'
  | 'max_length'
  | 'min_value'
  | 'max_value'
  | 'does_not_exist'
  | 'parse_error'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'too_large'
  | 'headers_too_large'
  | 'timeout'
  | 'unsupported_media_type'
  | 'precondition_failed'
  | 'job_not_queued'
  | 'managed_by_another'
  | 'prevent_destroy'
  | 'too_many_deletes'
  | 'idempotency_mismatch'
  | 'idempotency_in_flight'
  | 'throttled'
  | 'unavailable'
  | 'error';
