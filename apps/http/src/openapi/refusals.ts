import { errorBody, type WireErrorBody } from '@plugin-config/contract';
import * as z from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { challenge, requestId, retryAfter } from './headers.ts';

interface Refusal {
  readonly description: string;
  readonly type: WireErrorBody['type'];
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly examples: Readonly<Record<string, Omit<WireErrorBody, 'type'>>>;
}

/** What may be answered instead. One object each, so that the document can tell that they are the same. */
export const REFUSED = {
  badParameter: refused(400, 'BadParameter', {
    description: 'A parameter is wrong.',
    type: 'validation_error',
    examples: {
      limit: { code: 'invalid_input', detail: 'A valid integer from 1 to 1000 is required.', attr: 'limit' },
    },
  }),
  badBody: refused(400, 'BadBody', {
    description: 'The body is no JSON (`parse_error`), or something in it is wrong.',
    type: 'validation_error',
    examples: {
      required: { code: 'required', detail: 'This field is required.', attr: 'plugin' },
      invalid: { code: 'invalid_input', detail: 'A valid boolean is required.', attr: 'enabled' },
    },
  }),
  unauthenticated: refused(401, 'Unauthenticated', {
    description: 'There is no credential, or none that holds.',
    type: 'authentication_error',
    headers: { 'WWW-Authenticate': challenge },
    examples: {
      missing: {
        code: 'not_authenticated',
        detail: 'Authentication credentials were not provided.',
        attr: null,
      },
      invalid: {
        code: 'authentication_failed',
        detail: 'Personal API key found in request Authorization header is invalid.',
        attr: null,
      },
    },
  }),
  forbidden: refused(403, 'Forbidden', {
    description: 'The key lacks the scope, or does not open the project.',
    type: 'authentication_error',
    examples: {
      scope: {
        code: 'permission_denied',
        detail: "API key missing required scope 'plugin:write'",
        attr: null,
      },
      project: {
        code: 'permission_denied',
        detail: 'API key does not have access to the requested project: ID 2.',
        attr: null,
      },
    },
  }),
  notFound: refused(404, 'NotFound', {
    description: 'There is no such project, or nothing of that id in it.',
    type: 'invalid_request',
    examples: {
      project: { code: 'not_found', detail: 'Project not found.', attr: null },
      record: { code: 'not_found', detail: 'Not found.', attr: null },
    },
  }),
  stale: refused(412, 'Stale', {
    description: 'It has changed since: `If-Match` no longer holds.',
    type: 'invalid_request',
    examples: {
      stale: {
        code: 'precondition_failed',
        detail: 'It has changed since: its current ETag is not the one in If-Match.',
        attr: null,
      },
    },
  }),
  tooLarge: refused(413, 'TooLarge', {
    description: 'The body is too large.',
    type: 'invalid_request',
    examples: {
      body: {
        code: 'payload_too_large',
        detail: 'The request body may take no more than 1 MiB.',
        attr: null,
      },
    },
  }),
  unsupportedMediaType: refused(415, 'UnsupportedMediaType', {
    description: 'The body is of another media type.',
    type: 'invalid_request',
    examples: {
      type: {
        code: 'unsupported_media_type',
        detail: 'A request body must be JSON in UTF-8: "Content-Type: application/json".',
        attr: null,
      },
    },
  }),
  throttled: refused(429, 'Throttled', {
    description: 'The key has made too many requests.',
    type: 'throttled_error',
    headers: { 'Retry-After': retryAfter },
    examples: {
      throttled: {
        code: 'throttled',
        detail: 'Request was throttled. Expected available in 12 seconds.',
        attr: null,
      },
    },
  }),
  failed: refused(500, 'Failed', {
    description: 'Something went wrong that nobody foresaw.',
    type: 'server_error',
    examples: { error: { code: 'error', detail: 'A server error occurred.', attr: null } },
  }),
  unavailable: refused(503, 'Unavailable', {
    description: 'It cannot be done at the moment.',
    type: 'server_error',
    headers: { 'Retry-After': retryAfter },
    examples: { database: { code: 'unavailable', detail: 'The database is out of reach.', attr: null } },
  }),
};

export type Refused = ReturnType<typeof refused>;

export function refusals(all: readonly Refused[]): ZodOpenApiResponsesObject {
  return Object.fromEntries(all.map(({ status, response }) => [status, response]));
}

function refused(status: number, id: string, { description, type, headers, examples }: Refusal) {
  const answers = Object.entries(examples).map(([name, { code, detail, attr }]) => {
    const value: WireErrorBody = { type, code, detail, attr };
    return [name, { summary: detail, value }];
  });
  const response: ZodOpenApiResponseObject = {
    id,
    description,
    headers: z.object({ 'x-request-id': requestId, ...headers }),
    content: { 'application/json': { schema: errorBody, examples: Object.fromEntries(answers) } },
  };
  return { status, response };
}
