import { expect, test } from 'vitest';
import { HOST, rejection, storedOf, TOKEN } from '../configuration/configuration.fixture.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import { MASK } from '../configuration/configuration.ts';
import { decideConfiguration } from './create-record.ts';

const LEVEL: ConfigField = { key: 'level', type: 'string', required: true };
const [ENABLED, DISABLED] = [{ enabled: true }, { enabled: false }];

/** Returns the registration of a plugin with this schema, or of one that is not registered. */
function registered(...configSchema: readonly ConfigField[]) {
  const { defaults, secretNames, jsonSchemas } = storedOf({ schema: configSchema });
  const versions = { version: '0', registryVersion: 3, schemaVersion: 1 };
  return { plugin: { id: 7, name: 'GeoIP', configSchema }, ...versions, defaults, secretNames, jsonSchemas };
}

test('a new record has the configuration that is sent, and its changes are masked', () => {
  const { configuration, decidedBy } = decideConfiguration(
    ENABLED,
    { token: 'hunter2', host: 'a' },
    registered(HOST, TOKEN),
  );
  expect(decidedBy).toBe(3);
  expect(JSON.parse(configuration?.values ?? '')).toEqual({ token: 'hunter2', host: 'a' });
  expect(configuration?.changes).toEqual([
    { field: 'config.host', before: null, after: 'a' },
    { field: 'config.token', before: null, after: MASK },
  ]);
});

test.each([[{}], [{ token: '' }], [{ token: MASK }]])('%j is no configuration', (config) => {
  expect(decideConfiguration(DISABLED, config, registered(TOKEN))).toEqual({ decidedBy: 3 });
});

test.each([
  [ENABLED, undefined],
  [ENABLED, {}],
  [DISABLED, {}],
  [DISABLED, { level: 7 }],
  [DISABLED, { level: 'low', other: 1 }],
])('a record that is %j with %j is rejected', (draft, config) => {
  expect(() => decideConfiguration(draft, config, registered(LEVEL))).toThrow(
    expect.objectContaining({ errors: [expect.any(Error)] }),
  );
});

test('all errors are reported', () => {
  expect(() => decideConfiguration(ENABLED, { host: 1 }, registered(HOST, LEVEL))).toThrow(
    expect.objectContaining({
      errors: [rejection('invalid_input', 'host'), rejection('required', 'level')],
    }),
  );
});

test.each([
  [DISABLED, registered(LEVEL)],
  [ENABLED, registered({ ...LEVEL, default: 'low' })],
  [ENABLED, { ...registered(), plugin: null, version: null, registryVersion: null }],
])('a record that is %j without a configuration is accepted', (draft, registration) => {
  expect(decideConfiguration(draft, undefined, registration)).toEqual({
    decidedBy: registration.registryVersion,
  });
});
