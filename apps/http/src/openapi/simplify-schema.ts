import type { ZodOpenApiOverrideContext } from 'zod-openapi';

type Schema = ZodOpenApiOverrideContext['jsonSchema'];

/** Says the same in fewer words, and leaves answers room to grow. */
export function simplifySchema({ jsonSchema: schema }: ZodOpenApiOverrideContext): void {
  joinNull(schema);
  if (schema.format === 'date-time' || schema.format === 'uuid') delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function joinNull(schema: Schema): void {
  const [given, nothing, ...others] = schema.anyOf ?? [];
  if (given?.type === undefined || nothing?.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, { ...given, ...schema, type: [given.type, 'null'] });
}
