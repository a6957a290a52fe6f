import { validate } from '@plugin-config/contract';
import type * as z from 'zod';

/** Returns the parsed value, or throws its first error. */
export function checkInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { error, value: parsed } = validate(schema, value);
  if (error !== undefined) throw error;
  return parsed;
}

/** The body, or an empty object if there is none. */
export function bodyOrEmpty({ body }: { readonly body: unknown }): unknown {
  return body === undefined ? {} : body;
}
