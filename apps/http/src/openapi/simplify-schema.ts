import type { ZodOpenApiOverrideContext } from 'zod-openapi';

const INT32_MAX = 2_147_483_647;

type Schema = ZodOpenApiOverrideContext['jsonSchema'];

/** Shortens a JSON schema, and allows additional properties so that answers can grow. */
export function simplifySchema({ jsonSchema: schema }: ZodOpenApiOverrideContext): void {
  if (schema.type === 'integer') schema.format = (schema.maximum ?? Infinity) > INT32_MAX ? 'int64' : 'int32';
  joinNull(schema);
  if (schema.format === 'date-time' || schema.format === 'uuid') delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function joinNull(schema: Schema): void {
  const [nullable, nothing, ...others] = schema.anyOf ?? [];
  if (nullable?.type === undefined || nothing?.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, { ...nullable, ...schema, type: [nullable.type, 'null'] });
}
