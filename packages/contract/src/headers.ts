import * as z from 'zod';

const EXAMPLE_TAG = '"42.7-2jmj7l5rSw0yVb_vlWAYkK_YBwk"';

export const requestId = z.string().meta({
  header: { id: 'RequestId' },
  description:
    'The id of the request: the one that you sent if it is well-formed, else a new one. The log of the server has it, too.',
  examples: ['7b0e2c5e-2b1e-4f4c-9a55-0f6f5b9a8f11'],
});

export const etag = z.string().meta({
  header: { id: 'ETag' },
  description:
    'Identifies the bytes of the answer for If-None-Match, and the version of the record or list for If-Match.',
  examples: [EXAMPLE_TAG],
});

export const etagOfOne = z
  .string()
  .optional()
  .meta({
    description: 'The tag of the moved record; absent in the older form.',
    examples: [EXAMPLE_TAG],
  });

export const location = z.url().meta({
  header: { id: 'Location' },
  description: 'Address of the created record or job.',
  examples: ['https://example.com/api/projects/1/plugin_configs/42'],
});

export const retryAfter = z
  .int()
  .min(0)
  .max(86_400)
  .meta({
    header: { id: 'RetryAfter' },
    description: 'The seconds to wait before the next attempt.',
    examples: [12],
  });

export const challenge = z.literal('Bearer').meta({
  header: { id: 'Challenge' },
  description: 'The kind of credential that the endpoint requires.',
});

export const ifNoneMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfNoneMatch' },
    description: 'The tag of the answer that you have: the new answer is 304 while nothing has changed.',
    examples: [EXAMPLE_TAG],
  });

export const ifMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfMatch' },
    description: 'The tag of the record or list that you read: the answer is 412 if it has changed since.',
    examples: [EXAMPLE_TAG],
  });

export const idempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/)
  .optional()
  .meta({
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
    header: { id: 'IdempotentReplayed' },
    description: 'There if this is the answer of an earlier request with the same Idempotency-Key.',
  });
