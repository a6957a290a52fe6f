import * as z from 'zod';
import { DOCUMENT_ERRORS, SHARED_ERRORS } from '@plugin-config/domain/vocabulary';
import { conflict, editedRecord, OWNED_MAX } from './ownership.ts';

/** Can quote part of the request body, which has up to 1 MiB: the choices of a field, all its keys, or a path into a value. */
export const errorText = z.string().meta({ maxLength: 1024 * 1024, pattern: String.raw`^[\s\S]*$` });

const ERROR_TYPES = [
  'authentication_error',
  'invalid_request',
  'validation_error',
  'throttled_error',
  'server_error',
] as const;

const ERROR_CODES = [
  ...SHARED_ERRORS,
  'permission_denied',
  'parse_error',
  'method_not_allowed',
  'payload_too_large',
  'too_large',
  'headers_too_large',
  'timeout',
  'unsupported_media_type',
  'precondition_failed',
  'error',
] as const;

const ERRORS_MAX = 100;

const errorsOf = <C extends z.ZodType>(code: C) =>
  z
    .array(z.object({ code, detail: errorText, attr: errorText.nullable() }))
    .optional()
    .meta({
      maxItems: ERRORS_MAX,
      description: 'All errors in a configuration, including the first; absent for other requests.',
    });

export const errorBody = z
  .object({
    type: z.enum(ERROR_TYPES),
    code: z.enum(ERROR_CODES),
    detail: errorText.meta({ description: 'A human-readable explanation.' }),
    attr: errorText.nullable().meta({ description: 'The field or parameter that caused the error.' }),
    errors: errorsOf(z.enum(ERROR_CODES)),
  })
  .meta({
    id: 'Error',
    description: 'The first error found in the request.',
    examples: [
      { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'plugin' },
      { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
    ],
  });

export const documentErrorCode = z.enum([...ERROR_CODES, ...DOCUMENT_ERRORS]);

/** The error body of the endpoints for documents. */
export const documentErrorBody = z
  .object({
    ...errorBody.shape,
    code: documentErrorCode,
    errors: errorsOf(documentErrorCode),
    changed: z.array(editedRecord).optional().meta({
      maxItems: OWNED_MAX,
      description: 'The records that have changed since the plan was made.',
    }),
    conflicts: z.array(conflict).optional().meta({
      maxItems: OWNED_MAX,
      description: 'The records that another manager owns.',
    }),
  })
  .meta({
    id: 'DocumentError',
    description: 'The first error found in the request, and the records that caused it.',
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
