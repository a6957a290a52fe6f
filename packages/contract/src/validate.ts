import type * as z from 'zod';
import { wireDetail } from './wire-detail.ts';
import type { FieldError } from '@plugin-config/domain/vocabulary';
import { WireError } from './wire-error.ts';

export type Validation<T> =
  | { readonly value: T; readonly error?: never }
  | { readonly error: WireError; readonly value?: never };

/** Stops at the first error: it is the only one reported, and a request can contain any number of them. */
const SETTINGS = { error: wireDetail, reportInput: true, abortEarly: true };

/** Returns the parsed value or the first error. Does not throw. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): Validation<z.output<S>> {
  const result = schema.safeParse(value, SETTINGS);
  return result.success ? { value: result.data } : { error: wireError(result.error.issues) };
}

function wireError([issue]: readonly z.core.$ZodIssue[]): WireError {
  if (issue === undefined) return new WireError('invalid_input', 'Not valid.', null);
  return new WireError(codeOf(issue), issue.message, attrOf(issue));
}

function codeOf({ code, path, input, ...issue }: z.core.$ZodIssue): FieldError {
  if (path.length === 0) return 'invalid_input';
  if (input === undefined && code !== 'unrecognized_keys') return 'required';
  if (input === null) return 'null';
  const isText = 'origin' in issue && issue.origin === 'string';
  if (code === 'too_small') return isText ? 'blank' : 'min_value';
  if (code === 'too_big') return isText ? 'max_length' : 'max_value';
  return 'invalid_input';
}

function attrOf(issue: z.core.$ZodIssue): string | null {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  if (path.length === 0) return null;
  return path[0] === 'document' && path.length > 1 ? documentPath(path.slice(1)) : path.map(String).join('.');
}

/** Returns a path in a document, such as `plugin_configs[3].config.token`. */
function documentPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((parent, step) => {
    if (typeof step === 'number') return `${parent}[${step}]`;
    return parent === '' ? String(step) : `${parent}.${String(step)}`;
  }, '');
}
