import type { EditedRecord, OwnedRecord } from '../wire/declaration.ts';
import type { ErrorCode, ErrorType, OneError } from '../wire/error.ts';

/** Failures without an error answer of the service. */
export type ClientErrorCode =
  /** The request did not reach the service, or its answer did not arrive. */
  | 'unreachable'
  /** No answer came within the time-out. */
  | 'timed_out'
  /** The answer is not one of the service, such as the page of a proxy. */
  | 'unreadable'
  /** The answer to a dry run does not say that it is one, as with a service of an earlier release. */
  | 'no_dry_run'
  /** The log sender rejected a message that is larger than the ingestion accepts. */
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

/** Every failure of a call, except an abort by the caller's own signal, which throws the reason of that signal. */
export class PluginConfigError extends Error {
  override readonly name = 'PluginConfigError';
  readonly code: ErrorCode | ClientErrorCode;
  /** What is wrong, for humans, without the request. */
  readonly detail: string;
  /** Null if there was no answer of the service. */
  readonly type: ErrorType | null;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** The field or parameter at fault. */
  readonly attr: string | null;
  /** All that is wrong with a configuration, the first error included; empty for other requests. */
  readonly errors: readonly OneError[];
  /** What has changed since a plan was made; empty for other requests. */
  readonly changed: readonly EditedRecord[];
  /** The records that another manager owns; empty for other requests. */
  readonly conflicts: readonly OwnedRecord[];
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null;
  /** The seconds after which the service may take the request. */
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
