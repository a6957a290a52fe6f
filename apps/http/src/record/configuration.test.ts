import { anAuthor } from '@plugin-config/testing';
import type { WireErrorBody } from '@plugin-config/contract';
import { registerPlugin, type Plugin } from '@plugin-config/domain';
import { expect } from 'vitest';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const SECRET = 'hunter2-very-secret';
const PLUGIN: Plugin = {
  id: 70,
  name: 'GeoIP',
  description: 'Resolves locations',
  url: 'https://geo.example',
  icon: 'https://geo.example/icon.png',
  configSchema: [
    { key: 'host', type: 'string', default: 'geo.example', site: true },
    { key: 'token', type: 'string', secret: true },
    { key: 'level', type: 'choice', choices: ['low', 'high'], required: true },
    { key: 'count', type: 'number' },
  ],
};

const register = (service: Service) => registerPlugin(service.ports, PLUGIN, anAuthor());

test('a configuration is limited to 256 KiB of compact JSON', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}/config`;
  const fitting = 'x'.repeat(256 * 1024 - '{"a":""}'.length);
  expect((await call('PUT', path, { body: ` { "a" : "${fitting}" } ` })).status).toBe(200);
  const { status, body } = await call<WireErrorBody>('PUT', path, { body: { a: `${fitting}x` } });
  expect([status, body.type, body.code]).toEqual([413, 'invalid_request', 'payload_too_large']);
});

test.for([
  [{ level: 'low', unknown: 1 }, 'invalid_input', 'unknown'],
  [{ level: 'medium' }, 'invalid_input', 'level'],
  [{ host: 'x' }, 'required', 'level'],
  [{ level: 'low', count: 'three' }, 'invalid_input', 'count'],
  [{ level: null }, 'null', 'level'],
] as const)(
  '%j is rejected by the schema of the plugin: %s, %s',
  async ([body, code, attr], { call, service }) => {
    await register(service);
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 70 } });
    const response = await call<WireErrorBody>('PUT', `/plugin_configs/${record.id}/config`, { body });
    expect([response.status, response.body.code, response.body.attr]).toEqual([400, code, attr]);
    expect(response.body.errors?.[0]).toEqual({ code, attr, detail: response.body.detail });
  },
);

test('responses, log lines and activity entries contain no secrets', async ({ call, service }) => {
  await register(service);
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 70 } });
  const path = `/plugin_configs/${record.id}`;
  const put = async (body: object) => {
    const { host, ...config } = JSON.parse((await call('PUT', `${path}/config`, { body })).body.config);
    expect(host).toBe('geo.example');
    return config;
  };
  const responses = [
    await call('PUT', `${path}/config`, { body: { level: 'low', token: SECRET } }),
    await call('PUT', `${path}/config`, { body: { level: 'nope', token: SECRET } }),
    await call('PUT', `${path}/config`, { body: { level: 'low', token: [SECRET] } }),
    await call('GET', path),
    await call('GET', '/plugin_configs'),
    await call('GET', `${path}/activity`),
    await call('GET', `${path}/frontend`),
    await call('PATCH', path, { body: { plugin: 71 } }),
    await call('PATCH', path, { body: { plugin: 70 } }),
    await call('GET', `${path}/activity`),
  ];
  expect(responses.filter(({ text }) => text.includes(SECRET))).toEqual([]);
  expect(service.log.filter((line) => line.includes(SECRET))).toEqual([]);
  expect(await put({ level: 'low' })).toEqual({ level: 'low', token: '********' });
  expect(await put({ level: 'high', token: '********' })).toEqual({ level: 'high', token: '********' });
  expect(await put({ level: 'high', token: '' })).toEqual({ level: 'high' });
  expect(await put({ level: 'high', token: '********' })).toEqual({ level: 'high' });
  const { results } = (await call<Wire<'activityView'>>('GET', `${path}/activity?limit=2`)).body;
  expect(results[0]?.changes).toEqual([{ field: 'config.token', before: '********', after: null }]);
});

test('a browser only gets the values that the schema marks with site', async ({ call, service }) => {
  await register(service);
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 70 } });
  await call('PUT', `/plugin_configs/${record.id}/config`, {
    body: { host: 'h', level: 'low', token: SECRET, count: 3 },
  });
  const { status, body } = await call('GET', `/plugin_configs/${record.id}/frontend`);
  expect(status).toBe(200);
  expect([JSON.parse(body.config), body.error]).toEqual([{ host: 'h' }, null]);
  expect(JSON.parse(body.plugin_info ?? '')).toEqual({
    id: 70,
    name: 'GeoIP',
    icon: PLUGIN.icon,
    url: PLUGIN.url,
  });
  const { body: bare } = await call('POST', '/plugin_configs', { body: { plugin: 99 } });
  await call('PUT', `/plugin_configs/${bare.id}/config`, { body: { any: 'thing' } });
  expect((await call('GET', `/plugin_configs/${bare.id}/frontend`)).body).toMatchObject({
    config: '{}',
    plugin_info: null,
  });
});

test('entries are changed one by one, and null removes one', async ({ call, service }) => {
  await register(service);
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 70 } });
  const path = `/plugin_configs/${record.id}/config`;
  await call('PUT', path, { body: { level: 'low', count: 1, host: 'a', token: SECRET } });
  const patched = await call('PATCH', path, { body: { count: null, host: null, level: 'high' } });
  expect([patched.status, JSON.parse(patched.body.config)]).toEqual([
    200,
    { level: 'high', token: '********', host: 'geo.example' },
  ]);
  const cleared = await call('PATCH', path, { body: { token: null } });
  expect(JSON.parse(cleared.body.config)).toEqual({ level: 'high', host: 'geo.example' });
  const response = await call<WireErrorBody>('PATCH', path, { body: { level: null } });
  expect([response.status, response.body.attr]).toEqual([400, 'level']);
  expect((await call('PATCH', path)).headers.get('etag')).toBe(cleared.headers.get('etag'));
});

test.for(['PATCH', 'PUT'])(
  '%s sets a configuration sent as an object with the other fields, in one change, and ignores text',
  async (method, { call, service }) => {
    await register(service);
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 70 } });
    const path = `/plugin_configs/${record.id}`;
    const body = { plugin: 70, name: 'Shop', enabled: true, config: { level: 'low', token: SECRET } };
    const changed = await call(method, path, { body });
    expect(changed.body).toMatchObject({ name: 'Shop', enabled: true });
    expect(JSON.parse(changed.body.config)).toMatchObject({ level: 'low', token: '********' });
    const { results, count } = (await call<Wire<'activityView'>>('GET', `${path}/activity`)).body;
    expect([count, results[0]?.activity]).toEqual([2, 'enabled']);
    expect(results[0]?.changes.map(({ field }) => field)).toEqual([
      'enabled',
      'name',
      'config.level',
      'config.token',
    ]);
    expect((await call(method, path, { body: changed.body })).headers.get('etag')).toBe(
      changed.headers.get('etag'),
    );
    for (const [config, attr] of [
      [{ level: 'no' }, 'level'],
      [[], 'config'],
      [7, 'config'],
    ] as const) {
      const refused = await call<WireErrorBody>(method, path, { body: { plugin: 70, name: 'X', config } });
      expect([refused.status, refused.body.attr]).toEqual([400, attr]);
    }
    expect((await call('GET', path)).body.name).toBe('Shop');
  },
);

test('a record cannot be enabled, or attached while it is enabled, with a configuration that the schema rejects', async ({
  call,
  service,
}) => {
  await register(service);
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 70 } });
  const path = `/plugin_configs/${record.id}`;
  const enable = () => call<WireErrorBody>('PATCH', path, { body: { enabled: true } });
  const refused = await enable();
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [expect.objectContaining({ code: 'required', attr: 'level' })],
  ]);
  await call('PATCH', `${path}/config`, { body: { level: 'low' } });
  expect((await enable()).status).toBe(200);
  const { body: other } = await call('POST', '/plugin_configs', { body: { plugin: 71, enabled: true } });
  const attached = await call('PATCH', `/plugin_configs/${other.id}`, { body: { plugin: 70 } });
  expect(attached.status).toBe(400);
  expect((await call('PATCH', `/plugin_configs/${other.id}`, { body: { name: 'Free' } })).status).toBe(200);
});
