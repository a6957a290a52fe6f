import type { ZodOpenApiExampleObject, ZodOpenApiExamplesObject } from 'zod-openapi';

/** Examples need names; what they show is told by their summaries. */
export function namedExamples(examples: readonly ZodOpenApiExampleObject[]): ZodOpenApiExamplesObject {
  const named: ZodOpenApiExamplesObject = {};
  for (const [index, example] of examples.entries()) named[`example${index + 1}`] = example;
  return named;
}
