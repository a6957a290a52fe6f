import * as z from 'zod';
import { address } from './shown-text.ts';

const EXAMPLE_TAG = '"5f3a9c1e.42.7-2jmj7l5rSw0yVb_vlWAYkK_YBwk"';

/** The schema of a request id. */
export const REQUEST_ID = { pattern: '^[A-Za-z0-9._-]{1,128}$', maxLength: 128 };

const requestId = z.string().meta({
  ...REQUEST_ID,
  header: { id: 'X-Request-Id' },
  description:
    'The id of the request: the one that you sent if it is well-formed, else a new one. The log of the server has it, too.',
  examples: ['7b0e2c5e-2b1e-4f4c-9a55-0f6f5b9a8f11'],
});

const traceId = z
  .string()
  .optional()
  .meta({
    pattern: '^[0-9a-f]{32}$',
    maxLength: 32,
    header: { id: 'X-Trace-Id' },
    description:
      'The id of the trace of the request: that of your `traceparent` if you sent one, else a new one. Absent if the operator collects no traces.',
    examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
  });

const TAG = String.raw`(?:W/)?"[^"]*"`;
/** One or several tags, or an asterisk for any. */
const CONDITION = { pattern: String.raw`^(?:\*|${TAG}(?:\s*,\s*${TAG})*)$`, maxLength: 8192 };
const ETAG = { pattern: '^"[^"]+"$', maxLength: 200 };

export const etag = z.string().meta({
  ...ETAG,
  header: { id: 'ETag' },
  description:
    'Identifies the bytes of the answer for If-None-Match, and the version of the record or list for If-Match.',
  examples: [EXAMPLE_TAG],
});

const UNLESS_DRY = 'Absent from the answer to a dry run.';

/** The tag in the answer to a write. */
export const etagOfStored = z
  .string()
  .optional()
  .meta({
    ...ETAG,
    header: { id: 'ETagOfStored' },
    description: `The tag of what is stored now, for If-Match. ${UNLESS_DRY}`,
    examples: [EXAMPLE_TAG],
  });

const OWNER_NAME = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$', maxLength: 100 };

/** Who owns a record, in the answer to reading it. */
export const managedHeaders = {
  'x-managed-by': z
    .string()
    .optional()
    .meta({
      ...OWNER_NAME,
      description: 'The manager that owns the record; absent if nobody does.',
      examples: ['checkout-team'],
    }),
  'x-managed-key': z
    .string()
    .optional()
    .meta({
      ...OWNER_NAME,
      description: 'The key of the record within those of its manager; absent if nobody owns it.',
      examples: ['geoip'],
    }),
};

export const etagOfAnswer = z.string().meta({
  ...ETAG,
  description: 'Identifies the bytes of the answer for If-None-Match.',
  examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
});

export const etagOfOne = z
  .string()
  .optional()
  .meta({
    ...ETAG,
    description: `The tag of the moved record; absent in the older form. ${UNLESS_DRY}`,
    examples: [EXAMPLE_TAG],
  });

/**
 * The timeline of the store, the version of the registry of plugins, a revision of a family, and the id of a record if a page ends within the
 * revision.
 */
export const FAMILY_VERSION = /^[a-z\d]{1,16}\.\d{1,16}\.\d{1,16}(?:-\d{1,16})?$/;
export const FAMILY_VERSION_MAX = 67;

export const familyVersion = z.string().meta({
  pattern: FAMILY_VERSION.source,
  maxLength: FAMILY_VERSION_MAX,
  header: { id: 'X-Family-Version' },
  description:
    'The version of the family that this answer is up to date with, for `changed_since`. It rises with each change of an answer.',
  examples: ['5f3a9c1e.4.108'],
});

export const location = address.optional().meta({
  header: { id: 'Location' },
  description: `Address of the created record or job. ${UNLESS_DRY}`,
  examples: ['https://example.com/api/projects/1/plugin_configs/42'],
});

const RATE = String.raw`^"key";r=\d{1,10};t=\d{1,2}$`;
const POLICY = String.raw`^"key";q=\d{1,10};w=60$`;

const rateLimit = z
  .string()
  .optional()
  .meta({
    header: { id: 'RateLimit' },
    pattern: RATE,
    maxLength: 30,
    description:
      'What is left of the rate limit of the key: `r` requests, and all of them again in `t` seconds. Absent if the operator has set no limit.',
    examples: ['"key";r=99;t=1'],
  });

const rateLimitPolicy = z
  .string()
  .optional()
  .meta({
    header: { id: 'RateLimit-Policy' },
    pattern: POLICY,
    maxLength: 30,
    description: 'The rate limit of a key: `q` requests in `w` seconds. Absent if the operator has set none.',
    examples: ['"key";q=600;w=60'],
  });

const allowedOrigin = address.optional().meta({
  header: { id: 'Access-Control-Allow-Origin' },
  description: 'The origin of the page that sent the request, if the operator allows it to read the answer.',
  examples: ['https://shop.example.com'],
});

const setCookie = z
  .string()
  .optional()
  .meta({
    header: { id: 'Set-Cookie' },
    pattern: '^(?:__Host-)?plugin_config_session=[A-Za-z0-9_-]*; [A-Za-z0-9=/; -]*$',
    maxLength: 300,
    description: 'The session of a page of this service, if it begins, ends, or was not used for a while.',
    examples: ['__Host-plugin_config_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure'],
  });

const dryRun = z
  .literal('true')
  .optional()
  .meta({
    header: { id: 'Dry-Run' },
    description: 'There if this is the answer of a dry run: nothing is stored.',
  });

/** The headers of every answer. */
export const commonHeaders = {
  'x-request-id': requestId,
  'X-Trace-Id': traceId,
  RateLimit: rateLimit,
  'RateLimit-Policy': rateLimitPolicy,
  'Access-Control-Allow-Origin': allowedOrigin,
  'Set-Cookie': setCookie,
  'Dry-Run': dryRun,
};

export const retryAfter = z
  .int()
  .min(0)
  .max(86_400)
  .meta({
    header: { id: 'Retry-After' },
    description: 'The seconds to wait before the next attempt.',
    examples: [12],
  });

export const challenge = z.literal('Bearer').meta({
  header: { id: 'WWW-Authenticate' },
  description: 'The kind of credential that the endpoint requires.',
});

export const ifNoneMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfNoneMatch' },
    ...CONDITION,
    description: 'The tag of the answer that you have: the new answer is 304 while nothing has changed.',
    examples: [EXAMPLE_TAG],
  });

export const ifMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfMatch' },
    ...CONDITION,
    description: 'The tag of the record or list that you read: the answer is 412 if it has changed since.',
    examples: [EXAMPLE_TAG],
  });

export const idempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/)
  .optional()
  .meta({
    maxLength: 255,
    param: { id: 'IdempotencyKey' },
    description:
      'A name of your choice for this request, such as a UUID. Repeated with the same name and body within 24 hours, it gets ' +
      'the answer of the first request and changes nothing.',
    examples: ['0b5f7c1e-6d1f-4f43-9a53-4b9d7f2f6f30'],
  });

export const replayed = z
  .literal('true')
  .optional()
  .meta({
    header: { id: 'Idempotent-Replayed' },
    description: 'There if this is the answer of an earlier request with the same Idempotency-Key.',
  });
