import * as z from 'zod';
import { hasDryRun } from './dry-run.ts';
import type { Endpoint } from './endpoint.ts';
import { WireError } from './wire-error.ts';

const PREFERENCE = /(?:^|[,;])\s*handling\s*=\s*(?:strict|"strict")\s*(?:[,;]|$)/i;

/** Returns whether a `Prefer` header asks for unknown fields and parameters to be rejected. */
export function prefersStrict(header: string): boolean {
  return PREFERENCE.test(header);
}

/** @throws WireError for a query parameter that the endpoint does not have */
export function rejectUnknownParameters(endpoint: Endpoint, query: unknown): void {
  const known = hasDryRun(endpoint) ? ['dry_run'] : [];
  const name = unknownField(endpoint.query ?? z.object({}), query, known);
  if (name !== null) throw new WireError('invalid_input', 'This endpoint has no such parameter.', name);
}

/** Fields of the response may be sent back. @throws WireError for another field that the body does not have */
export function rejectUnknownFields({ body, responses }: Endpoint, value: unknown): void {
  const returned = (responses[200] ?? responses[201])?.body;
  const known = returned instanceof z.ZodObject ? Object.keys(returned.shape) : [];
  const name = unknownField(body?.schema ?? z.object({}), value, known);
  if (name !== null) throw new WireError('invalid_input', 'There is no such field.', name);
}

/** Returns the path of the first field that is neither in the schema nor, at the top, among those known otherwise. */
function unknownField(schema: z.core.$ZodType, value: unknown, known: readonly string[]): string | null {
  const inner = unwrapped(schema);
  if (typeof value !== 'object' || value === null) return null;
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    for (const [n, item] of value.entries()) {
      const path = unknownField(inner.element, item, []);
      if (path !== null) return `${n}.${path}`;
    }
  }
  // A loose object takes any field, and a strict one rejects it when it is parsed.
  if (!(inner instanceof z.ZodObject) || inner.def.catchall !== undefined) return null;
  const shape = inner.shape as Readonly<Record<string, z.core.$ZodType>>;
  for (const [name, field] of Object.entries(value)) {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (expected === undefined && !known.includes(name)) return name;
    const path = expected === undefined ? null : unknownField(expected, field, []);
    if (path !== null) return `${name}.${path}`;
  }
  return null;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
