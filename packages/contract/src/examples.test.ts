import { expect, test } from 'vitest';
import * as contract from './index.ts';

const withExamples = Object.entries(contract).flatMap(([name, schema]) => {
  if (typeof schema !== 'object' || !('safeParse' in schema)) return [];
  const examples = schema.meta()?.['examples'];
  return Array.isArray(examples) ? examples.map((example: unknown) => ({ name, schema, example })) : [];
});

test('response schemas have examples', () => {
  expect(withExamples.map(({ name }) => name)).toEqual(
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
  expect(schema.parse(example)).toEqual(example);
});
