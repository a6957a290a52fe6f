import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOST, parsed, rejection, replace, storedOf, TOKEN } from '../configuration/configuration.fixture.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import { MASK, NO_VALUES, showConfiguration } from '../configuration/configuration.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import { restoreConfiguration as restore } from './restore-revision.ts';

const WITH_TOKEN = { values: '{"host":"b","token":"hunter2"}', schema: [HOST, TOKEN] };

test('an earlier configuration replaces the current one, and each changed entry is described', () => {
  const stored = storedOf({ values: '{"host":"b","port":1}' });
  expect(restore(stored, '{"host":"a","path":[1]}')).toMatchObject({
    config: '{"host":"a","path":[1]}',
    missing: [],
    changes: [
      { field: 'config.host', before: 'b', after: 'a' },
      { field: 'config.port', before: 1, after: null },
      { field: 'config.path', before: null, after: [1] },
    ],
  });
});

test('a secret in both configurations keeps its current value', () => {
  const { values, missing } = restore(storedOf(WITH_TOKEN), '{"token":"********","host":"a"}');
  expect([values, missing]).toEqual(['{"host":"a","token":"hunter2"}', []]);
});

test('a secret that the earlier configuration did not have is kept', () => {
  const { values, missing } = restore(storedOf(WITH_TOKEN), '{"host":"a"}');
  expect([values, missing]).toEqual(['{"host":"a","token":"hunter2"}', []]);
});

describe('a secret that the record no longer has is listed, and not restored as a value or a mask', () => {
  test.each([[HOST, TOKEN], [HOST], undefined])('with the schema %j', (schema) => {
    const stored = storedOf({ values: '{"host":"b"}', secretNames: ['token'], ...(schema && { schema }) });
    const { values, missing } = restore(stored, '{"host":"a","token":"********"}');
    expect([values, missing]).toEqual(['{"host":"a"}', ['token']]);
  });
});

test('a value that has become secret since is not restored', () => {
  const { values, missing } = restore(storedOf({ schema: [HOST, TOKEN] }), '{"host":"a","token":"plain"}');
  expect([values, missing]).toEqual(['{"host":"a"}', ['token']]);
});

test('a reference in the earlier configuration is listed if the record no longer has the secret', () => {
  const stored = storedOf({ schema: [HOST, TOKEN] });
  const { values, missing } = restore(stored, '{"token":{"$ref":"env://TOKEN"}}');
  expect([values, missing]).toEqual(['{}', ['token']]);
});

test('an empty string under a key that is now secret removes nothing', () => {
  const { values, missing } = restore(storedOf(WITH_TOKEN), '{"token":""}');
  expect([values, missing]).toEqual(['{"token":"hunter2"}', []]);
});

test('a configuration that the current schema rejects is rejected with all errors', () => {
  const port: ConfigField = { key: 'port', type: 'number', required: true };
  const stored = storedOf({ ...WITH_TOKEN, schema: [HOST, TOKEN, port] });
  expect(() => restore(stored, '{"host":1,"path":"a"}')).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      attr: 'host',
      errors: [
        rejection('invalid_input', 'host'),
        rejection('invalid_input', 'path'),
        rejection('required', 'port'),
      ],
    }),
  );
});

test('after any history, the restored configuration shows the earlier one, and secrets are unchanged', () => {
  const keys = ['a', 'b', 'c', '__proto__'];
  const anyValue = fc.oneof(
    fc.constantFrom<Json>('', null, MASK, 0, 'x', 1.5, { deep: ['y'] }),
    fc.jsonValue().map((json) => parsed(JSON.stringify({ json }))['json'] ?? null),
  );
  const request = fc
    .dictionary(fc.constantFrom(...keys), anyValue)
    .map((given): JsonObject => ({ ...given }));
  /** Sets a configuration, or declares these keys secret. */
  const step = fc.oneof(
    { weight: 4, arbitrary: request.map((newConfig) => ({ newConfig })) },
    { weight: 1, arbitrary: fc.subarray(keys).map((secretKeys) => ({ secretKeys })) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(), (steps, chosen) => {
      const secretNames = new Set<string>();
      let stored = storedOf({});
      const revisions = ['{}'];
      for (const each of steps) {
        if ('secretKeys' in each) {
          for (const key of each.secretKeys) secretNames.add(key);
          const schema = keys.map((key): ConfigField => ({
            key,
            type: 'json',
            secret: each.secretKeys.includes(key),
          }));
          stored = storedOf({ values: stored.values, schema, secretNames: [...secretNames] });
        } else {
          const { values, config } = replace(stored, each.newConfig);
          stored = { ...stored, values };
          revisions.push(config);
        }
      }
      const earlier = parsed(showConfiguration(revisions[chosen % revisions.length] ?? '{}', stored));
      const { values, config, missing } = restore(stored, JSON.stringify(earlier));
      const entries = (text: string, isSecret: boolean) =>
        Object.entries(parsed(text)).filter(
          ([key, value]) => secretNames.has(key) === isSecret && !(isSecret && value === ''),
        );
      expect(new Map(entries(values, true))).toEqual(new Map(entries(stored.values, true)));
      expect(new Map(entries(values, false))).toEqual(new Map(entries(JSON.stringify(earlier), false)));
      expect(showConfiguration(values, { secretNames, defaults: NO_VALUES })).toBe(config);
      expect(missing.some((key) => Object.hasOwn(parsed(values), key))).toBe(false);
    }),
    { numRuns: 300 },
  );
});
