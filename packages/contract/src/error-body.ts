import * as z from 'zod';
import { WIRE_ERROR_CODES } from './wire-error.ts';

/** A message may repeat a part of the body, which may have 1 MiB. */
const part = z.string().meta({ maxLength: 1024 * 1024, pattern: String.raw`^[\s\S]*$` });

export const ERROR_TYPES = [
  'authentication_error',
  'invalid_request',
  'validation_error',
  'throttled_error',
  'server_error',
] as const;

export const ERROR_CODES = [
  'not_authenticated',
  'authentication_failed',
  'permission_denied',
  'not_found',
  ...WIRE_ERROR_CODES,
  'does_not_exist',
  'parse_error',
  'method_not_allowed',
  'payload_too_large',
  'headers_too_large',
  'timeout',
  'unsupported_media_type',
  'precondition_failed',
  'job_not_queued',
  'idempotency_mismatch',
  'idempotency_in_flight',
  'throttled',
  'unavailable',
  'error',
] as const;

const ERRORS_MAX = 100;

export const errorBody = z
  .object({
    type: z.enum(ERROR_TYPES),
    code: z.enum(ERROR_CODES),
    detail: part.meta({ description: 'What is wrong, for humans.' }),
    attr: part.nullable().meta({ description: 'The field or parameter at fault.' }),
    errors: z
      .array(z.object({ code: z.enum(ERROR_CODES), detail: part, attr: part.nullable() }))
      .optional()
      .meta({
        maxItems: ERRORS_MAX,
        description:
          'All that is wrong with a configuration, the first error included; absent for other requests.',
      }),
  })
  .meta({
    id: 'Error',
    description: 'The first error of the request.',
    examples: [
      { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'plugin' },
      { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    ],
  });

export type WireErrorBody = z.infer<typeof errorBody>;
