import {
  challenge,
  commonHeaders,
  documentErrorBody,
  errorBody,
  pathParams,
  retryAfter,
  type Endpoint,
  type WireErrorBody,
} from '@plugin-config/contract';
import * as z from 'zod';
import type {
  ZodOpenApiExampleObject,
  ZodOpenApiExamplesObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';

type Example = readonly [code: WireErrorBody['code'], detail: string, attr?: string];

interface Rejection {
  readonly description: string;
  /** Defaults to `invalid_request`. */
  readonly type?: WireErrorBody['type'];
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly examples: readonly Example[];
  readonly body?: z.ZodType;
}

/** The error responses. Each is one object, so the document refers to it instead of repeating it. */
export const REJECTED = {
  malformed: rejected(400, 'Malformed', {
    description: 'The request is malformed.',
    examples: [['parse_error', 'The request must have exactly one Host header.']],
  }),
  badParameter: rejected(400, 'BadParameter', {
    description: 'A parameter is invalid, or the request is malformed (`parse_error`).',
    type: 'validation_error',
    examples: [['invalid_input', 'A valid integer from 1 to 1000 is required.', 'limit']],
  }),
  badBody: rejected(400, 'BadBody', {
    description: 'A field is invalid, or the body or the request is malformed (`parse_error`).',
    type: 'validation_error',
    examples: [
      ['required', 'This field is required.', 'plugin'],
      ['invalid_input', 'A valid boolean is required.', 'enabled'],
    ],
  }),
  unauthenticated: rejected(401, 'Unauthenticated', {
    description: 'The credentials are missing or invalid.',
    type: 'authentication_error',
    headers: { 'WWW-Authenticate': challenge },
    examples: [
      ['not_authenticated', 'Authentication credentials were not provided.'],
      ['authentication_failed', 'Personal API key found in request Authorization header is invalid.'],
    ],
  }),
  forbidden: rejected(403, 'Forbidden', {
    description:
      'The key lacks the scope or access to the project, or would grant more than it has; or the request comes from a page of another origin.',
    type: 'authentication_error',
    examples: [
      ['permission_denied', "API key missing required scope 'plugin:write'"],
      ['permission_denied', 'API key does not have access to the requested project: ID 2.'],
    ],
  }),
  notFound: rejected(404, 'NotFound', {
    description: 'The project does not exist, or contains nothing with this id.',
    examples: [
      ['not_found', 'Project not found.'],
      ['not_found', 'Not found.'],
    ],
  }),
  tooSlow: rejected(408, 'TooSlow', {
    description: 'The headers or the body did not arrive in time.',
    examples: [['timeout', 'The request did not arrive in time.']],
  }),
  stale: rejected(412, 'Stale', {
    description: '`If-Match` names an old version: the record or list has changed.',
    examples: [
      ['precondition_failed', 'The resource has changed: its current ETag does not match If-Match.'],
    ],
  }),
  already_exists: rejected(409, 'AlreadyExists', {
    description:
      'The project already has an alert with this name, or a webhook with this URL, another project has this external id, or another plugin this slug.',
    examples: [
      ['already_exists', 'There is already an alert with this name.', 'name'],
      ['already_exists', 'There is already a webhook with this URL.', 'url'],
      ['already_exists', 'Another project has this external id.', 'external_id'],
      ['already_exists', 'Another plugin has this slug.', 'slug'],
    ],
  }),
  job_not_queued: rejected(409, 'JobNotQueued', {
    description: 'The job is running or has ended.',
    examples: [['job_not_queued', 'The job is running. Only a queued job can be cancelled.']],
  }),
  lease_lost: rejected(409, 'LeaseLost', {
    description: 'The job has ended, or another runtime has it.',
    examples: [['lease_lost', 'The job has ended, or another runtime has it.']],
  }),
  runtime_behind: rejected(409, 'RuntimeBehind', {
    description: 'Online runtimes do not understand the schema version.',
    examples: [
      [
        'runtime_behind',
        'These runtimes do not understand schema version 4: shop-1. Update them first, or force the upgrade.',
      ],
    ],
  }),
  badDocument: rejected(400, 'BadDocument', {
    description: 'The document is invalid, or the plan deletes too much.',
    type: 'validation_error',
    body: documentErrorBody,
    examples: [
      ['required', 'This field is required.', 'plugin_configs[3].plugin'],
      ['too_many_deletes', 'The plan deletes 3 records, and max_deletes is 0.', 'max_deletes'],
    ],
  }),
  stalePlan: rejected(412, 'StalePlan', {
    body: documentErrorBody,
    description: 'The plan is out of date; `changed` lists the records that have changed.',
    examples: [['precondition_failed', 'Records have changed since the plan was made. Create a new plan.']],
  }),
  staleConfiguration: rejected(412, 'StaleConfiguration', {
    description: 'The configuration has another version.',
    examples: [
      [
        'precondition_failed',
        'The configuration has changed: its version is 4. Read it again.',
        'config_version',
      ],
    ],
  }),
  managed_by_another: rejected(409, 'ManagedByAnother', {
    body: documentErrorBody,
    description: 'Another manager owns some of the records, listed in `conflicts`.',
    examples: [['managed_by_another', 'Another manager owns 1 of the records.']],
  }),
  idempotency_in_flight: rejected(409, 'InFlight', {
    description: 'The first request with this `Idempotency-Key` is still running.',
    headers: { 'Retry-After': retryAfter },
    examples: [
      [
        'idempotency_in_flight',
        'The first request with this key is still running. Repeat the request later with the same key.',
      ],
    ],
  }),
  otherBody: rejected(422, 'OtherBody', {
    description: 'This `Idempotency-Key` was already used with a different body.',
    type: 'validation_error',
    examples: [
      [
        'idempotency_mismatch',
        'This key was sent before with another body. Send the same body, or another key.',
        'Idempotency-Key',
      ],
    ],
  }),
  tooLarge: rejected(413, 'TooLarge', {
    description: 'The body is too large.',
    examples: [['payload_too_large', 'The request body may be no larger than 1 MiB.']],
  }),
  unsupportedMediaType: rejected(415, 'UnsupportedMediaType', {
    description: 'The media type of the body is not supported.',
    examples: [
      ['unsupported_media_type', 'A request body must be JSON in UTF-8: "Content-Type: application/json".'],
    ],
  }),
  throttled: rejected(429, 'Throttled', {
    description: 'The key has made too many requests.',
    type: 'throttled_error',
    headers: { 'Retry-After': retryAfter },
    examples: [['throttled', 'Request was throttled. Expected available in 12 seconds.']],
  }),
  headersTooLarge: rejected(431, 'HeadersTooLarge', {
    description: 'The URL and headers are too large.',
    examples: [['headers_too_large', 'The URL and headers of the request are too large.']],
  }),
  failed: rejected(500, 'Failed', {
    description: 'An unexpected error occurred.',
    type: 'server_error',
    examples: [['error', 'A server error occurred.']],
  }),
  unavailable: rejected(503, 'Unavailable', {
    description: 'The service cannot process the request at the moment. Try again later.',
    type: 'server_error',
    headers: { 'Retry-After': retryAfter },
    examples: [['unavailable', 'The database is unreachable.']],
  }),
};

/** The errors of all paths. */
export const COMMON_ERRORS = [
  REJECTED.malformed,
  REJECTED.tooSlow,
  REJECTED.headersTooLarge,
  REJECTED.failed,
];

type Rejected = ReturnType<typeof rejected>;

export function rejections(all: readonly Rejected[]): ZodOpenApiResponsesObject {
  return Object.fromEntries(all.map(({ status, response }) => [status, response]));
}

/** The errors of requests with a key. */
const KEY_ERRORS = [REJECTED.unauthenticated, REJECTED.throttled, REJECTED.unavailable];

/** Returns the possible errors of an endpoint, which follow from its parameters, body and condition. */
export function rejectionsOf({
  method,
  scope,
  keyOnly,
  path,
  needs,
  query,
  condition,
  body,
  conflict,
  basis,
  idempotent,
}: Endpoint): ZodOpenApiResponsesObject {
  const params = pathParams({ path, needs, method });
  // These PUTs create what they do not find.
  const creates =
    method === 'PUT' &&
    ['/api/projects/:project_id', '/api/runtime/:family/instances/:instance'].includes(path);
  return rejections([
    ...COMMON_ERRORS,
    ...(query === undefined && method === 'GET' ? [] : [REJECTED.badParameter]),
    ...(body === undefined ? [] : [REJECTED.badBody]),
    // Writes without a declared body still read one, and ignore it.
    ...(method === 'GET' ? [] : [REJECTED.tooLarge, REJECTED.unsupportedMediaType]),
    ...(params === undefined && scope === null && needs !== 'page' && keyOnly !== true
      ? []
      : [REJECTED.forbidden]),
    ...(params === undefined || creates ? [] : [REJECTED.notFound]),
    ...(condition === 'If-Match' ? [REJECTED.stale] : []),
    ...(basis === 'plan' ? [REJECTED.badDocument, REJECTED.stalePlan] : []),
    ...(basis === 'configuration' ? [REJECTED.staleConfiguration] : []),
    ...(conflict === undefined ? [] : [REJECTED[conflict]]),
    ...(idempotent === true ? [REJECTED.otherBody] : []),
    ...(needs === 'page' && body === undefined ? [] : KEY_ERRORS),
  ]);
}

function rejected(
  status: number,
  id: string,
  { description, type = 'invalid_request', headers, examples, body = errorBody }: Rejection,
) {
  const responses = examples.map(([code, detail, attr = null]) => {
    const value: WireErrorBody = { type, code, detail, attr };
    return { summary: detail, value };
  });
  const response: ZodOpenApiResponseObject = {
    id,
    description,
    headers: z.object({ ...commonHeaders, ...headers }),
    content: { 'application/json': { schema: body, examples: namedExamples(responses) } },
  };
  return { status, response };
}

/** Names the examples by number: OpenAPI requires names, but tools show the summaries. */
export function namedExamples(examples: readonly ZodOpenApiExampleObject[]): ZodOpenApiExamplesObject {
  const named: ZodOpenApiExamplesObject = {};
  for (const [index, example] of examples.entries()) named[`example${index + 1}`] = example;
  return named;
}
