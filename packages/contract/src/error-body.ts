import * as z from 'zod';
import { conflict, editedRecord, OWNED_MAX } from './ownership.ts';
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
  'too_large',
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

const errorsOf = <C extends z.ZodType>(code: C) =>
  z
    .array(z.object({ code, detail: part, attr: part.nullable() }))
    .optional()
    .meta({
      maxItems: ERRORS_MAX,
      description:
        'All that is wrong with a configuration, the first error included; absent for other requests.',
    });

export const errorBody = z
  .object({
    type: z.enum(ERROR_TYPES),
    code: z.enum(ERROR_CODES),
    detail: part.meta({ description: 'What is wrong, for humans.' }),
    attr: part.nullable().meta({ description: 'The field or parameter at fault.' }),
    errors: errorsOf(z.enum(ERROR_CODES)),
  })
  .meta({
    id: 'Error',
    description: 'The first error of the request.',
    examples: [
      { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'plugin' },
      { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    ],
  });

/** The rejections that only a document has. */
const DOCUMENT_ERROR_CODES = ['managed_by_another', 'prevent_destroy', 'too_many_deletes'] as const;

const documentCode = z.enum([...ERROR_CODES, ...DOCUMENT_ERROR_CODES]);

/** The body of an error of the endpoints that take documents. */
export const documentErrorBody = z
  .object({
    ...errorBody.shape,
    code: documentCode,
    errors: errorsOf(documentCode),
    changed: z.array(editedRecord).optional().meta({
      maxItems: OWNED_MAX,
      description: 'What has changed since the plan was made.',
    }),
    conflicts: z.array(conflict).optional().meta({
      maxItems: OWNED_MAX,
      description: 'The records that another manager owns.',
    }),
  })
  .meta({
    id: 'DocumentError',
    description: 'The first error of the request, and the records that prevent it.',
    examples: [
      {
        type: 'validation_error',
        code: 'too_many_deletes',
        detail: 'The plan deletes 3 records, and max_deletes is 0.',
        attr: 'max_deletes',
      },
    ],
  });

export type WireErrorBody = z.infer<typeof documentErrorBody>;
