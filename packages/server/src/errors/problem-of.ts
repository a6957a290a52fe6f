import { WireError } from '@plugin-config/contract';
import { DomainError } from '@plugin-config/domain';
import { domainProblem } from './domain-problem.ts';
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
