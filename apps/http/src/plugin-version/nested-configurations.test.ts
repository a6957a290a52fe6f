import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const PLUGIN = 7401;
const SCHEMA = {
  type: 'object',
  properties: { port: { type: 'integer', maximum: 10_000 } },
  required: ['port'],
  additionalProperties: false,
};
const FIELDS = [
  { key: 'server', type: 'json', schema: SCHEMA },
  { key: 'keys', type: 'json', secret: true, schema: SCHEMA },
];

const register = (call: Call, fields: readonly object[] = FIELDS) =>
  call<Wire<'registrationResult'> & WireErrorBody>('PUT', `/../../plugins/${PLUGIN}`, {
    body: { name: 'GeoIP', config_schema: fields },
  });

test('a configuration is judged by the JSON Schemas of its entries, wherever it is checked', async ({
  call,
}) => {
  await register(call);
  const body = { plugin: PLUGIN, enabled: true };
  const { body: record } = await call('POST', '/plugin_configs', { body });
  const path = `/plugin_configs/${record.id}`;
  const put = (config: object) => call<WireErrorBody>('PUT', `${path}/config`, { body: config });
  expect((await put({ server: { port: 8080 }, keys: { port: 1 } })).status).toBe(200);

  const rejected = await put({ server: { port: '8080', host: 'a' }, keys: { hunter2: 1 } });
  expect(rejected.status).toBe(400);
  expect(rejected.body.errors).toMatchObject([
    { attr: 'server', detail: 'This must NOT have additional properties: "host".' },
    { attr: 'server.port', detail: 'This must be integer.' },
    { attr: 'keys', detail: 'The JSON Schema of this field rejects the value.' },
  ]);
  expect(rejected.text).not.toContain('hunter2');

  const created = await call<WireErrorBody>('POST', '/plugin_configs', {
    body: { plugin: PLUGIN, config: { server: {} } },
  });
  expect([created.status, created.body.attr]).toEqual([400, 'server.port']);

  const document = {
    format: 1,
    manager: 'team',
    plugin_configs: [{ key: 'a', plugin: PLUGIN, config: { server: {} } }],
  };
  const planned = await call<Wire<'plan'> & WireErrorBody>('POST', '/configuration/plan', {
    body: { document },
  });
  expect([planned.status, planned.body.attr]).toEqual([400, 'plugin_configs[0].config.server.port']);

  const stricter = { ...SCHEMA, properties: { port: { type: 'integer', maximum: 1000 } } };
  const marked = await register(call, [{ key: 'server', type: 'json', schema: stricter }]);
  expect(marked.body).toMatchObject({ records: { total: 1, invalid: 1 } });
});

test('a registration shows its JSON Schemas, and a record of it does not', async ({ call }) => {
  expect((await register(call)).body.config_schema).toEqual(FIELDS);
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: PLUGIN } });
  const shownFields = [
    { key: 'server', type: 'json' },
    { key: 'keys', type: 'json', secret: true },
  ];
  expect(JSON.parse(String(record.plugin_info))).toHaveProperty('config_schema', shownFields);
  const retitled = FIELDS.map((field) => ({ ...field, schema: { ...SCHEMA, title: 'Server' } }));
  expect((await register(call, retitled)).body.config_schema).toEqual(retitled);
  const shown = await call<Wire<'registrationResult'>>('GET', `/../../plugins/${PLUGIN}`);
  expect(shown.body.config_schema).toEqual(retitled);
});
