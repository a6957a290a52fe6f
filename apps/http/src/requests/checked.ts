import { validate } from '@plugin-config/contract';
import type * as z from 'zod';

/** What the value stands for; throws the first thing that is wrong with it. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { error, value: meant } = validate(schema, value);
  if (error !== undefined) throw error;
  return meant;
}

/** A request without a body counts as one with an empty object. */
export function bodyOf({ body }: { readonly body: unknown }): unknown {
  return body === undefined ? {} : body;
}
