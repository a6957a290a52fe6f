import type { WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { FAMILIES, registerPlugin, type ConfigField } from '@plugin-config/domain';
import { anAuthor, aPlugin } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const SECRET = 'hunter2-very-secret';
const HOST: ConfigField = { key: 'host', type: 'string', default: 'geo.example' };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const LEVEL: ConfigField = { key: 'level', type: 'choice', choices: ['low', 'high'], required: true };
const PORT: ConfigField = { key: 'port', type: 'number', required: true };

const register = ({ ports }: Service, ...configSchema: readonly ConfigField[]) =>
  registerPlugin(ports, aPlugin({ id: 70, configSchema }), anAuthor());

test.for(FAMILIES)(
  'a record of %s is created with the configuration that is sent',
  async (family, { call, service, project }) => {
    await register(service, HOST, TOKEN, LEVEL);
    const body = { plugin: 70, enabled: true, name: 'Shop', config: { level: 'low', token: SECRET } };
    const created = await call('POST', `/${family}`, { body });
    expect(created.status).toBe(201);
    expect(JSON.parse(created.body.config)).toEqual({
      level: 'low',
      token: '********',
      host: 'geo.example',
    });
    const path = `/${family}/${created.body.id}`;
    const found = await call('GET', path);
    expect([found.body, found.headers.get('etag')]).toEqual([created.body, created.headers.get('etag')]);
    const list = await call<WireConfigRecordPage>('GET', `/${family}`);
    expect(list.body.results).toEqual([created.body]);
    const history = await call<Wire<'activityView'>>('GET', `${path}/activity`);
    expect(history.body.results.map(({ activity, changes }) => [activity, changes])).toEqual([
      [
        'created',
        [
          { field: 'plugin', before: null, after: 70 },
          { field: 'enabled', before: null, after: true },
          { field: 'order', before: null, after: 1 },
          { field: 'name', before: null, after: 'Shop' },
          { field: 'deleted', before: null, after: false },
          { field: 'config.level', before: null, after: 'low' },
          { field: 'config.token', before: null, after: '********' },
        ],
      ],
    ]);
    for (const { text } of [created, found, list, history]) expect(text).not.toContain(SECRET);
    const ref = { projectId: project.id, family, id: created.body.id };
    const stored = await service.ports.configurationValues.of(ref);
    expect(JSON.parse(stored?.values ?? '')).toEqual({ level: 'low', token: SECRET });
  },
);

test.for([
  [{ config: {} }, 'required', 'level', 1],
  [{ enabled: true }, 'required', 'level', 1],
  [{ enabled: true, config: null }, 'required', 'level', 1],
  [{ enabled: true, config: '{"level":"low"}' }, 'required', 'level', 1],
  [{ config: { level: 'medium', unknown: 1 } }, 'invalid_input', 'level', 2],
  [{ enabled: true, config: { level: 'low', host: 7 } }, 'invalid_input', 'host', 1],
  [{ config: [] }, 'invalid_input', 'config', 0],
  [{ config: 7 }, 'invalid_input', 'config', 0],
] as const)(
  'a record with %j is rejected as %s, and nothing is stored',
  async ([fields, code, attr, errors], { call, service }) => {
    await register(service, HOST, TOKEN, LEVEL);
    const { headers } = await call('GET', '/plugin_configs');
    const refused = await call<WireErrorBody>('POST', '/plugin_configs', { body: { plugin: 70, ...fields } });
    expect([refused.status, refused.body.code, refused.body.attr]).toEqual([400, code, attr]);
    expect(refused.body.errors?.length ?? 0).toBe(errors);
    const after = await call<WireConfigRecordPage>('GET', '/plugin_configs');
    expect([after.body.count, after.headers.get('etag')]).toEqual([0, headers.get('etag')]);
  },
);

test('`Prefer: handling=strict` accepts a configuration', async ({ call }) => {
  const headers = { prefer: 'handling=strict' };
  const created = await call('POST', '/plugin_configs', { body: { plugin: 7, config: { a: 1 } }, headers });
  expect([created.status, created.body.config]).toEqual([201, '{"a":1}']);
});

test('a repeated request gets its first response after the schema has changed, with the current configuration', async ({
  call,
  service,
}) => {
  await register(service, LEVEL);
  const keyed = (config: object, enabled = true) =>
    call<WireErrorBody>('POST', '/plugin_configs', {
      headers: { 'idempotency-key': 'once' },
      body: { plugin: 70, enabled, config },
    });
  expect((await keyed({ level: 'no' })).status).toBe(400);
  const first = await keyed({ level: 'low' });
  const { id } = JSON.parse(first.text) as { readonly id: number };
  expect(first.status).toBe(201);
  await call('PUT', `/plugin_configs/${id}/config`, { body: { level: 'high' } });
  await register(service, PORT);
  const again = await keyed({ level: 'low' });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(again.body).toMatchObject({ id, config: '{"level":"high"}' });
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  for (const other of [{ level: 'high' }, { port: 80 }]) {
    const mismatch = await keyed(other);
    expect([mismatch.status, mismatch.body.code]).toEqual([422, 'idempotency_mismatch']);
  }
  expect((await call<WireConfigRecordPage>('GET', '/plugin_configs')).body.count).toBe(1);
});
