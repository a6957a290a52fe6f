import { WireError } from '@plugin-config/contract';
import { DomainError, type DomainErrorCode } from '@plugin-config/domain';
import {
  endpointNotFound,
  HttpProblem,
  parseError,
  unsupportedMediaType,
  type Problem,
} from './http-problem.ts';

const SERVER_ERROR: Problem = {
  status: 500,
  type: 'server_error',
  code: 'error',
  detail: 'A server error occurred.',
  attr: null,
};

interface FrameworkError extends Error {
  readonly code?: unknown;
  readonly statusCode?: unknown;
}

/** Maps an error to its response. An unexpected error becomes a 500 without details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof HttpProblem) return error.problem;
  if (error instanceof DomainError) return domainProblem(error);
  if (error instanceof WireError) return wireProblem(error);
  return frameworkProblem(error) ?? SERVER_ERROR;
}

function wireProblem({ code, detail, attr }: WireError): Problem {
  return { status: 400, type: 'validation_error', code, detail, attr };
}

function frameworkProblem(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  const { code, statusCode } = error as FrameworkError;
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return endpointNotFound().problem;
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType().problem;
    default:
      return statusCode === 400 ? parseError('the body is incomplete').problem : null;
  }
}

type Kind = readonly [status: number, type: Problem['type'], code: Problem['code']];

const KINDS: Record<DomainErrorCode, Kind> = {
  not_authenticated: [401, 'authentication_error', 'not_authenticated'],
  authentication_failed: [401, 'authentication_error', 'authentication_failed'],
  scope_missing: [403, 'authentication_error', 'permission_denied'],
  project_forbidden: [403, 'authentication_error', 'permission_denied'],
  not_granted: [403, 'authentication_error', 'permission_denied'],
  project_not_found: [404, 'invalid_request', 'not_found'],
  not_found: [404, 'invalid_request', 'not_found'],
  required: [400, 'validation_error', 'required'],
  null: [400, 'validation_error', 'null'],
  blank: [400, 'validation_error', 'blank'],
  invalid_input: [400, 'validation_error', 'invalid_input'],
  max_length: [400, 'validation_error', 'max_length'],
  min_value: [400, 'validation_error', 'min_value'],
  max_value: [400, 'validation_error', 'max_value'],
  does_not_exist: [400, 'validation_error', 'does_not_exist'],
  too_large: [413, 'invalid_request', 'payload_too_large'],
  content_too_large: [400, 'invalid_request', 'too_large'],
  stale_version: [412, 'invalid_request', 'precondition_failed'],
  already_exists: [409, 'invalid_request', 'already_exists'],
  lease_lost: [409, 'invalid_request', 'lease_lost'],
  runtime_behind: [409, 'invalid_request', 'runtime_behind'],
  job_not_queued: [409, 'invalid_request', 'job_not_queued'],
  managed_by_another: [409, 'invalid_request', 'managed_by_another'],
  prevent_destroy: [400, 'validation_error', 'prevent_destroy'],
  too_many_deletes: [400, 'validation_error', 'too_many_deletes'],
  idempotency_mismatch: [422, 'validation_error', 'idempotency_mismatch'],
  idempotency_in_flight: [409, 'invalid_request', 'idempotency_in_flight'],
  throttled: [429, 'throttled_error', 'throttled'],
  busy: [503, 'server_error', 'unavailable'],
  key_missing: [503, 'server_error', 'unavailable'],
  unavailable: [503, 'server_error', 'unavailable'],
};

const DEFAULT_RETRY_SECONDS = 1;

function domainProblem(error: DomainError): Problem {
  const [status, type] = KINDS[error.code];
  const errors = error.errors?.map(oneError);
  return {
    status,
    type,
    ...oneError(error),
    ...(errors !== undefined && { errors }),
    headers: headersFor(status, error),
  };
}

function oneError({ code, message, attr }: DomainError): Pick<Problem, 'code' | 'detail' | 'attr'> {
  return { code: KINDS[code][2], detail: message, attr };
}

function headersFor(status: number, { retryAfterSeconds }: DomainError): Readonly<Record<string, string>> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  if (status === 429 || status === 503 || retryAfterSeconds !== null)
    return { 'retry-after': String(retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) };
  return {};
}
