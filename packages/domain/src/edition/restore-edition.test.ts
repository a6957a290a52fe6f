import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BOX,
  HOST,
  opened,
  parsed,
  refusal,
  replace,
  storedOf,
  TOKEN,
} from '../configuration/configuration.fixture.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import { conceal, MASK, type Configured } from '../configuration/configuration.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import { restoreConfiguration } from './restore-edition.ts';

const restore = (stored: Configured, earlier: string) => restoreConfiguration(stored, earlier, { box: BOX });

const SEALED = BOX.seal('"geheim"');
const WITH_TOKEN = {
  config: '{"host":"b","token":"********"}',
  secrets: [['token', SEALED]],
  schema: [HOST, TOKEN],
} as const;

test('an earlier configuration replaces the present one, and the changes tell each entry', () => {
  const stored = storedOf({ config: '{"host":"b","port":1}' });
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

test('a secret of both keeps its present value', () => {
  const { config, secrets, missing } = restore(storedOf(WITH_TOKEN), '{"token":"********","host":"a"}');
  expect([config, secrets.get('token'), missing]).toEqual(['{"host":"a","token":"********"}', SEALED, []]);
});

test('a secret that the earlier configuration did not have stays', () => {
  const { config, secrets, missing } = restore(storedOf(WITH_TOKEN), '{"host":"a"}');
  expect([config, [...secrets.keys()], missing]).toEqual(['{"host":"a","token":"********"}', ['token'], []]);
});

describe('a secret that the record has no more is listed, and comes back neither as a value nor as a mask', () => {
  test.each([[HOST, TOKEN], [HOST], undefined])('with the schema %j', (schema) => {
    const stored = storedOf({ config: '{"host":"b"}', ...(schema && { schema }) });
    const { config, secrets, missing } = restore(stored, '{"host":"a","token":"********"}');
    expect([config, secrets.size, missing]).toEqual(['{"host":"a"}', 0, ['token']]);
  });
});

test('a value that has become secret since is not taken over', () => {
  const stored = storedOf({ schema: [HOST, TOKEN] });
  const { config, secrets, missing } = restore(stored, '{"host":"a","token":"plain"}');
  expect([config, secrets.size, missing]).toEqual(['{"host":"a"}', 0, ['token']]);
});

test('an empty text under a key that is secret now clears nothing', () => {
  const { secrets, missing } = restore(storedOf(WITH_TOKEN), '{"token":""}');
  expect([secrets.get('token'), missing]).toEqual([SEALED, []]);
});

test('a configuration that the present schema refuses is refused with all errors', () => {
  const port: ConfigField = { key: 'port', type: 'number', required: true };
  const stored = storedOf({ ...WITH_TOKEN, schema: [HOST, TOKEN, port] });
  expect(() => restore(stored, '{"host":1,"path":"a"}')).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      attr: 'host',
      errors: [
        refusal('invalid_input', 'host'),
        refusal('invalid_input', 'path'),
        refusal('required', 'port'),
      ],
    }),
  );
});

test('after any history, the restored configuration shows the earlier one, and secrets are as they were', () => {
  const keys = ['a', 'b', 'c', '__proto__'];
  const value = fc.oneof(
    fc.constantFrom<Json>('', null, MASK, 0, 'x', 1.5, { deep: ['y'] }),
    fc.jsonValue().map((json) => parsed(JSON.stringify({ json }))['json'] ?? null),
  );
  const request = fc.dictionary(fc.constantFrom(...keys), value).map((given): JsonObject => ({ ...given }));
  /** Sets a configuration, or declares these keys secret. */
  const step = fc.oneof(
    { weight: 4, arbitrary: request.map((newConfig) => ({ newConfig })) },
    { weight: 1, arbitrary: fc.subarray(keys).map((secretKeys) => ({ secretKeys })) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(), (steps, chosen) => {
      let stored: Configured = storedOf({});
      const editions = ['{}'];
      for (const each of steps) {
        if ('secretKeys' in each) {
          const schema = keys.map((key): ConfigField => ({
            key,
            type: 'json',
            secret: each.secretKeys.includes(key),
          }));
          const sealed = conceal({ ...stored.record, secrets: stored.secrets }, schema, BOX);
          stored = storedOf({ config: sealed.config, secrets: [...sealed.secrets], schema });
        } else {
          const { config, secrets } = replace(stored, each.newConfig);
          stored = { ...stored, record: { config }, secrets };
          editions.push(config);
        }
      }
      const earlier = parsed(editions[chosen % editions.length] ?? '{}');
      const { config, secrets, missing } = restore(stored, JSON.stringify(earlier));
      expect(opened(secrets)).toEqual(opened(stored.secrets));
      const declared = stored.plugin?.configSchema?.filter(({ secret }) => secret === true) ?? [];
      const isSecret = (key: string): boolean =>
        secrets.has(key) || declared.some((field) => field.key === key) || earlier[key] === MASK;
      const plain = (values: JsonObject) => Object.entries(values).filter(([key]) => !isSecret(key));
      expect(new Map(plain(parsed(config)))).toEqual(new Map(plain(earlier)));
      const masked = Object.entries(parsed(config)).filter(([key]) => isSecret(key));
      expect(new Map(masked)).toEqual(new Map([...secrets.keys()].map((key) => [key, MASK])));
      expect(missing.some((key) => secrets.has(key))).toBe(false);
    }),
    { numRuns: 300 },
  );
});
