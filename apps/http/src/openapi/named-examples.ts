import type { ZodOpenApiExampleObject, ZodOpenApiExamplesObject } from 'zod-openapi';

/** Numbers the examples: OpenAPI requires names, but only the summaries are shown. */
export function namedExamples(examples: readonly ZodOpenApiExampleObject[]): ZodOpenApiExamplesObject {
  const named: ZodOpenApiExamplesObject = {};
  for (const [index, example] of examples.entries()) named[`example${index + 1}`] = example;
  return named;
}
