import { expect, test } from 'vitest';
import * as z from 'zod';
import * as contract from './index.ts';

interface Example {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly example: unknown;
}

const withExamples = Object.entries(contract).flatMap(([name, schema]) => examplesOf(name, schema));

/** Returns the examples of a schema and of its fields. */
function examplesOf(name: string, schema: unknown): readonly Example[] {
  if (!(schema instanceof z.ZodType)) return [];
  const { examples = [] } = schema.meta() ?? {};
  const own = (examples as readonly unknown[]).map((example) => ({ name, schema, example }));
  const fields: object = schema instanceof z.ZodObject ? schema.shape : {};
  return [
    ...own,
    ...Object.entries(fields).flatMap(([field, inner]) => examplesOf(`${name}.${field}`, inner)),
  ];
}

test('response schemas, or their fields, have examples', () => {
  expect(withExamples.map(({ name }) => name.replace(/\..*/, ''))).toEqual(
    expect.arrayContaining([
      'configRecord',
      'activityEntry',
      'job',
      'logEntry',
      'project',
      'errorBody',
      'health',
    ]),
  );
});

test.each(withExamples)('the example of $name is valid', ({ schema, example }) => {
  expect(z.safeParse(schema, example).error).toBeUndefined();
});
