import type { EditedRecord, ErrorCode, ErrorType, OneError, OwnedRecord } from '../wire.ts';

/** Failures that are not error responses of the service. */
export type ClientErrorCode =
  /** The request did not reach the service, or the response was lost. */
  | 'unreachable'
  /** There was no response within the timeout. */
  | 'timed_out'
  /** The response came from something other than the service, such as a proxy. */
  | 'unreadable'
  /** The response to a dry run is not marked as one, because the service is an older release. */
  | 'no_dry_run'
  /** The log sender rejected a message that is larger than the service accepts. */
  | 'message_too_large'
  /** The log sender rejected a message because too many bytes are not stored yet. */
  | 'sender_full'
  /** The log sender rejected a message because it is closed. */
  | 'sender_closed';

interface ErrorFields {
  readonly code: ErrorCode | ClientErrorCode;
  readonly detail: string;
  readonly type?: ErrorType | null;
  readonly status?: number | null;
  readonly attr?: string | null;
  readonly errors?: readonly OneError[] | undefined;
  readonly changed?: readonly EditedRecord[] | undefined;
  readonly conflicts?: readonly OwnedRecord[] | undefined;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** The error of every failed call. A call aborted by a signal throws the reason of the signal instead. */
export class PluginConfigError extends Error {
  override readonly name = 'PluginConfigError';
  readonly code: ErrorCode | ClientErrorCode;
  /** A human-readable explanation. Unlike `message`, it does not name the request. */
  readonly detail: string;
  /** Null if there was no response from the service. */
  readonly type: ErrorType | null;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** The field or parameter that caused the error. */
  readonly attr: string | null;
  /** All errors in a configuration, including the first; empty for other requests. */
  readonly errors: readonly OneError[];
  /** The records that have changed since the plan was made; empty for other requests. */
  readonly changed: readonly EditedRecord[];
  /** The records that another manager owns; empty for other requests. */
  readonly conflicts: readonly OwnedRecord[];
  /** Identifies the request in the service's log. */
  readonly requestId: string | null;
  /** How many seconds to wait before retrying, if the service said so. */
  readonly retryAfterSeconds: number | null;

  constructor(request: string, fields: ErrorFields) {
    const { code, detail, type, status, attr, errors, requestId, retryAfterSeconds, cause } = fields;
    super(`${request}: ${detail} (${[status, code].filter(Boolean).join(' ')})`, { cause });
    this.code = code;
    this.detail = detail;
    this.type = type ?? null;
    this.status = status ?? null;
    this.attr = attr ?? null;
    this.errors = errors ?? [];
    this.changed = fields.changed ?? [];
    this.conflicts = fields.conflicts ?? [];
    this.requestId = requestId ?? null;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}
