import type { WireErrorBody } from '@plugin-config/contract';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The status, headers and body of an error response. */
export interface Problem extends Readonly<WireErrorBody> {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A rejection at the HTTP level, before the domain is involved. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export function invalidRequest(
  status: number,
  code: Problem['code'],
  detail: string,
  headers?: Readonly<Record<string, string>>,
): HttpProblem {
  const problem = { status, type: 'invalid_request', code, detail, attr: null } as const;
  return new HttpProblem(headers === undefined ? problem : { ...problem, headers });
}

export const endpointNotFound = (): HttpProblem => invalidRequest(404, 'not_found', 'Endpoint not found.');

export const badHost = (): HttpProblem =>
  invalidRequest(400, 'parse_error', 'The request must have exactly one Host header.');

export const ambiguousHead = (detail: string): HttpProblem => invalidRequest(400, 'parse_error', detail);

export const parseError = (reason: string): HttpProblem =>
  invalidRequest(400, 'parse_error', `JSON parse error - ${reason}`);

export const payloadTooLarge = (maxBytes: number): HttpProblem =>
  invalidRequest(413, 'payload_too_large', `The request body may be no larger than ${sizeOf(maxBytes)}.`);

const sizeOf = (bytes: number): string => (bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`);

export const unsupportedMediaType = (
  detail = 'The media type of the request body is not supported.',
): HttpProblem => invalidRequest(415, 'unsupported_media_type', detail);

export const methodNotAllowed = (method: string, allow: string): HttpProblem =>
  invalidRequest(405, 'method_not_allowed', `Method "${method}" not allowed.`, { allow });
