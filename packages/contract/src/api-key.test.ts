import { expect, test } from 'vitest';
import { accessTokenBody, apiKeyBody, feedReadBody } from './index.ts';
import { validate } from './validate.ts';

test('an error in a list of projects says how to name one', () => {
  for (const wrong of ['acme', 'ext:', '7', true, {}]) {
    for (const [name, schema] of [
      ['project_ids', apiKeyBody],
      ['project_ids', accessTokenBody],
      ['projects', feedReadBody],
    ] as const) {
      const body = { label: 'A key', scopes: ['plugin_runtime'], [name]: [1, wrong] };
      expect(validate(schema, body).error).toMatchObject({
        attr: `${name}.1`,
        detail: 'A valid integer is required, or ext: and an external id.',
      });
    }
  }
});
