import * as z from 'zod';

const EXAMPLE_TAG = '"42.7-2jmj7l5rSw0yVb_vlWAYkK_YBwk"';

export const requestId = z.string().meta({
  header: { id: 'RequestId' },
  description:
    'The id of the request: your own where it is a sane one, else a new one. It is in the log, too.',
  examples: ['7b0e2c5e-2b1e-4f4c-9a55-0f6f5b9a8f11'],
});

export const etag = z.string().meta({
  header: { id: 'ETag' },
  description: 'Names these bytes for If-None-Match, and the version that they were taken at for If-Match.',
  examples: [EXAMPLE_TAG],
});

export const etagOfOne = z
  .string()
  .optional()
  .meta({
    description: 'Of the one record that was moved; the older form is answered without.',
    examples: [EXAMPLE_TAG],
  });

export const location = z.url().meta({
  header: { id: 'Location' },
  description: 'Address of what was made.',
  examples: ['https://example.com/api/projects/1/plugin_configs/42'],
});

export const retryAfter = z
  .int()
  .min(0)
  .max(86_400)
  .meta({
    header: { id: 'RetryAfter' },
    description: 'In how many seconds it is worth trying again.',
    examples: [12],
  });

export const challenge = z.literal('Bearer').meta({
  header: { id: 'Challenge' },
  description: 'What kind of credential is asked for.',
});

export const ifNoneMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfNoneMatch' },
    description: 'The tag of what you hold: the answer is 304 while it is still the same.',
    examples: [EXAMPLE_TAG],
  });

export const ifMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfMatch' },
    description: 'The tag of what you decided upon: the answer is 412 where it has changed since.',
    examples: [EXAMPLE_TAG],
  });
