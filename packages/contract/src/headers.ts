import * as z from 'zod';
import { PLUGIN_VERSION, PLUGIN_VERSION_MAX } from '@plugin-config/domain/vocabulary';
import type { Endpoint } from './endpoint.ts';
import { address } from './response-text.ts';
import { lastEventId, streamHeaders } from './stream.ts';

const EXAMPLE_TAG = '"5f3a9c1e.42.7-2jmj7l5rSw0yVb_vlWAYkK_YBwk"';

export const REQUEST_ID = { pattern: '^[A-Za-z0-9._-]{1,128}$', maxLength: 128 };

const requestId = z.string().meta({
  ...REQUEST_ID,
  header: { id: 'X-Request-Id' },
  description:
    'Identifier of the request: the one you sent if it is well-formed, otherwise a new one. Also written to the server log.',
  examples: ['7b0e2c5e-2b1e-4f4c-9a55-0f6f5b9a8f11'],
});

const optionalText = (meta: z.GlobalMeta) => z.string().optional().meta(meta);

const traceId = optionalText({
  pattern: '^[0-9a-f]{32}$',
  maxLength: 32,
  header: { id: 'X-Trace-Id' },
  description:
    'Identifier of the trace: the one in your `traceparent` if you sent one, otherwise a new one. Absent if the operator collects no traces.',
  examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
});

const TAG = String.raw`(?:W/)?"[^"]*"`;
/** One or more tags, or an asterisk for any. */
const CONDITION = { pattern: String.raw`^(?:\*|${TAG}(?:\s*,\s*${TAG})*)$`, maxLength: 8192 };
const ETAG = { pattern: '^"[^"]+"$', maxLength: 200 };

export const etag = z.string().meta({
  ...ETAG,
  header: { id: 'ETag' },
  description:
    'Identifies the bytes of the response for `If-None-Match`, and the version of the resource for `If-Match`.',
  examples: [EXAMPLE_TAG],
});

const ABSENT_IN_DRY_RUN = 'Absent from the response to a dry run.';

/** The tag in the response to a write. */
export const etagOfStored = optionalText({
  ...ETAG,
  header: { id: 'ETagOfStored' },
  description: `Tag of what was stored, for \`If-Match\`. ${ABSENT_IN_DRY_RUN}`,
  examples: [EXAMPLE_TAG],
});

/** The name of a manager, or the key of a record. */
export const OWNER_NAME = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$', maxLength: 100 };

/** The headers that say who owns a record, and whether it is valid. */
export const recordHeaders = {
  'x-managed-by': optionalText({
    ...OWNER_NAME,
    description: 'Manager of the record; absent if it has none.',
    examples: ['checkout-team'],
  }),
  'x-managed-key': optionalText({
    ...OWNER_NAME,
    description: 'Key by which its manager names the record; absent if it has no manager.',
    examples: ['geoip'],
  }),
  'x-plugin-version': optionalText({
    pattern: `^${PLUGIN_VERSION}$`,
    maxLength: PLUGIN_VERSION_MAX,
    description: 'Version of the plugin that the record is pinned to; absent if it follows the current one.',
    examples: ['2.3.1'],
  }),
  'x-schema-version': optionalText({
    pattern: '^[0-9]+$',
    maxLength: 5,
    description: 'The schema version that the configuration follows.',
    examples: ['2'],
  }),
  'x-config-valid': z
    .literal('false')
    .optional()
    .meta({
      description:
        'Sent if the record is enabled although the schema of its plugin rejects its configuration; absent otherwise.',
      examples: ['false'],
    }),
};

export const etagOfResponse = z.string().meta({
  ...ETAG,
  description: 'Identifies the bytes of the response for `If-None-Match`.',
  examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
});

export const etagOfMoved = optionalText({
  ...ETAG,
  description: `Tag of the moved record; absent in the older form. ${ABSENT_IN_DRY_RUN}`,
  examples: [EXAMPLE_TAG],
});

/** Timeline, project, registry version and family version, plus the id of a record if a page ends within a family version. */
export const FAMILY_VERSION = /^[a-z\d]{1,16}(?:\.\d{1,16}){3}(?:-\d{1,16})?$/;
export const FAMILY_VERSION_MAX = 84;

export const familyVersion = z.string().meta({
  pattern: FAMILY_VERSION.source,
  maxLength: FAMILY_VERSION_MAX,
  header: { id: 'X-Family-Version' },
  description:
    'Version of the family that this response reflects, for `changed_since`. It increases with every change to the list.',
  examples: ['5f3a9c1e.1.4.108'],
});

export const location = address.optional().meta({
  header: { id: 'Location' },
  description: `URL of the created resource. ${ABSENT_IN_DRY_RUN}`,
  examples: ['https://example.com/api/projects/1/plugin_configs/42'],
});

const RATE = String.raw`^"key";r=\d{1,10};t=\d{1,2}$`;
const POLICY = String.raw`^"key";q=\d{1,10};w=60$`;

const rateLimit = optionalText({
  header: { id: 'RateLimit' },
  pattern: RATE,
  maxLength: 30,
  description:
    'What is left of the rate limit of the key: `r` requests now, and the full limit again in `t` seconds. Absent if the operator has set no limit.',
  examples: ['"key";r=99;t=1'],
});

const rateLimitPolicy = optionalText({
  header: { id: 'RateLimit-Policy' },
  pattern: POLICY,
  maxLength: 30,
  description: 'Rate limit of a key: `q` requests in `w` seconds. Absent if the operator has set no limit.',
  examples: ['"key";q=600;w=60'],
});

const allowedOrigin = address.optional().meta({
  header: { id: 'Access-Control-Allow-Origin' },
  description: 'Origin of the page that sent the request, if the operator allows it to read the response.',
  examples: ['https://shop.example.com'],
});

const setCookie = optionalText({
  header: { id: 'Set-Cookie' },
  pattern: '^(?:__Host-)?plugin_config_session=[A-Za-z0-9_-]*; [A-Za-z0-9=/; -]*$',
  maxLength: 300,
  description:
    'Session cookie for pages of this service. Sent when the session begins, ends or is refreshed.',
  examples: ['__Host-plugin_config_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure'],
});

const dryRun = z
  .literal('true')
  .optional()
  .meta({
    header: { id: 'Dry-Run' },
    description: 'Present if this is the response to a dry run: nothing was stored.',
  });

const preferenceApplied = z
  .literal('handling=strict')
  .optional()
  .meta({
    header: { id: 'Preference-Applied' },
    description:
      'Present if the request has `Prefer: handling=strict`: unknown fields and parameters are rejected.',
  });

/** The headers of every response. */
export const commonHeaders = {
  'x-request-id': requestId,
  'X-Trace-Id': traceId,
  RateLimit: rateLimit,
  'RateLimit-Policy': rateLimitPolicy,
  'Access-Control-Allow-Origin': allowedOrigin,
  'Set-Cookie': setCookie,
  'Dry-Run': dryRun,
  'Preference-Applied': preferenceApplied,
};

export const retryAfter = z
  .int()
  .min(0)
  .max(86_400)
  .meta({
    header: { id: 'Retry-After' },
    description: 'Seconds to wait before the next attempt.',
    examples: [12],
  });

export const challenge = z.literal('Bearer').meta({
  header: { id: 'WWW-Authenticate' },
  description: 'The authentication scheme that the endpoint requires.',
});

export const ifNoneMatch = optionalText({
  param: { id: 'IfNoneMatch' },
  ...CONDITION,
  description: 'Tag of the response that you have. The service responds with 304 if it is still current.',
  examples: [EXAMPLE_TAG],
});

const ifMatch = optionalText({
  param: { id: 'IfMatch' },
  ...CONDITION,
  description: 'Tag of the resource that you read. The service responds with 412 if it has changed since.',
  examples: [EXAMPLE_TAG],
});

const idempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/)
  .optional()
  .meta({
    maxLength: 255,
    param: { id: 'IdempotencyKey' },
    description:
      'A unique name of your choice for this request, such as a UUID. Repeating the request with the same key and body within ' +
      '24 hours returns the first response and changes nothing. Other operations reject the header (400).',
    examples: ['0b5f7c1e-6d1f-4f43-9a53-4b9d7f2f6f30'],
  });

const replayed = z
  .literal('true')
  .optional()
  .meta({
    header: { id: 'Idempotent-Replayed' },
    description: 'Present if this is the response to an earlier request with the same `Idempotency-Key`.',
  });

const CONDITIONS = {
  'If-Match': { 'If-Match': ifMatch },
  'If-None-Match': { 'If-None-Match': ifNoneMatch },
};

/** Returns the headers that requests to an endpoint may have. */
export function requestHeaders({
  condition,
  idempotent,
  events,
}: Endpoint): Readonly<Record<string, z.ZodType>> {
  return {
    ...(condition !== undefined && CONDITIONS[condition]),
    ...(idempotent === true && { 'Idempotency-Key': idempotencyKey }),
    ...(events !== undefined && { 'Last-Event-ID': lastEventId }),
  };
}

/** Returns the headers of all successful responses of an endpoint, in addition to `commonHeaders`. */
export function responseHeaders({ idempotent, events }: Endpoint): Readonly<Record<string, z.ZodType>> {
  return {
    ...(idempotent === true && { 'Idempotent-Replayed': replayed }),
    ...(events !== undefined && streamHeaders),
  };
}

/** The request and response headers of pages from allowed origins. */
export const ACCEPTED_HEADERS =
  'Authorization, Content-Type, Content-Encoding, If-Match, If-None-Match, Idempotency-Key, Prefer, Last-Event-ID, X-Request-Id, Traceparent';
export const EXPOSED_HEADERS =
  'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Allow, WWW-Authenticate, X-Request-Id, X-Trace-Id, Idempotent-Replayed, Dry-Run, Preference-Applied, X-Family-Version, X-Managed-By, X-Managed-Key, X-Plugin-Version, X-Schema-Version, X-Config-Valid';
