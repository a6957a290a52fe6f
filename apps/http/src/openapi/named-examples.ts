import type { ZodOpenApiExampleObject, ZodOpenApiExamplesObject } from 'zod-openapi';

/** Names the examples by number: OpenAPI requires names, but tools show the summaries. */
export function namedExamples(examples: readonly ZodOpenApiExampleObject[]): ZodOpenApiExamplesObject {
  const named: ZodOpenApiExamplesObject = {};
  for (const [index, example] of examples.entries()) named[`example${index + 1}`] = example;
  return named;
}
