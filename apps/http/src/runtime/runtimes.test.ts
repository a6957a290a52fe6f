import type { WireNewApiKey } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import { ownPage } from '../testing/own-page.ts';
import type { Wire } from '../testing/wire.ts';

const ALL = '/plugin_configs/runtimes';
const APPLIED = { version: 'v1', status: 'applied' } as const;

test('the report of a runtime is visible to keys with plugin:read', async ({ call, service, project }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const { token } = await service.issueKey({ projectIds: [project.id], scopes: ['plugin_runtime'] });
  const body = {
    ...APPLIED,
    status: 'failed',
    error: 'x'.repeat(10_001),
    failed: [{ id: record.id, error: 'The token was rejected.' }],
    labels: { region: 'eu' },
    plugins: { geoip: { version: '2.3.1', schemas: [3, 4] } },
  };
  expect((await call('PUT', `${ALL}/shop-1`, { body, token })).status).toBe(204);
  const { body: page } = await call<Wire<'runtimePage'>>('GET', ALL);
  expect(page).toMatchObject({ count: 1, next: null, previous: null });
  expect(page.results).toEqual([
    {
      ...body,
      instance: 'shop-1',
      plugin_ids: null,
      current: false,
      online: true,
      error: `${'x'.repeat(10_000)}… [1 more characters]`,
      first_seen_at: expect.any(String),
      last_seen_at: page.results[0]?.first_seen_at,
    },
  ]);
  expect((await call('GET', ALL, { token })).status).toBe(403);
  expect((await call('DELETE', `${ALL}/shop-1`, { token })).status).toBe(403);
  expect((await call('DELETE', `${ALL}/shop-1`)).status).toBe(204);
  expect((await call('DELETE', `${ALL}/shop-1`)).status).toBe(404);
});

test('a report requires its scope or *; a session cannot send one, but can issue a key that can', async ({
  call,
  service,
  project,
}) => {
  for (const scope of ['plugin:write', 'plugin:read', 'plugin_log:write', 'key:write'] as const) {
    const { token } = await service.issueKey({ projectIds: [project.id], scopes: [scope] });
    const rejected = await call('PUT', `${ALL}/shop-1`, { body: APPLIED, token });
    expect(rejected).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  }
  const { token } = await service.issueKey({ scopes: ['*'] });
  const headers = ownPage(service.url);
  const signedIn = await call('POST', '/../../session', { body: { key: token }, headers, token: null });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const inSession = { headers: { ...headers, cookie }, token: null };
  expect((await call('GET', ALL, inSession)).status).toBe(200);
  expect(await call('PUT', `${ALL}/shop-1`, { ...inSession, body: APPLIED })).toMatchObject({
    status: 403,
    body: { code: 'permission_denied', detail: expect.stringContaining('session') },
  });
  expect((await call('PUT', `${ALL}/shop-1`, { body: APPLIED, token })).status).toBe(204);
  const order = { label: 'Shop runtime', scopes: ['plugin_runtime'] };
  const issued = await call<WireNewApiKey>('POST', '/../../keys', { ...inSession, body: order });
  expect((await call('PUT', `${ALL}/shop-2`, { body: APPLIED, token: issued.body.token })).status).toBe(204);
  const audit = await call<Wire<'auditPage'>>('GET', '/../../audit?limit=1');
  expect(audit.body.results).toMatchObject([{ action: 'key_issued', subject: { name: 'Shop runtime' } }]);
});

test.for([
  [{ status: 'applied' }, 'version', 'required'],
  [{ version: 'v1' }, 'status', 'required'],
  [{ ...APPLIED, version: 'v'.repeat(201) }, 'version', 'max_length'],
  [{ ...APPLIED, status: 'broken' }, 'status', 'invalid_input'],
  [{ ...APPLIED, failed: Array.from({ length: 101 }, () => ({ id: 1, error: '' })) }, 'failed', 'max_value'],
  [{ ...APPLIED, failed: [{ id: '1', error: '' }] }, 'failed.0.id', 'invalid_input'],
  [{ ...APPLIED, labels: { ['l'.repeat(101)]: 'x' } }, `labels.${'l'.repeat(101)}`, 'invalid_input'],
  [{ ...APPLIED, labels: { region: 'l'.repeat(101) } }, 'labels.region', 'max_length'],
  [
    { ...APPLIED, labels: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n, ''])) },
    'labels',
    'max_value',
  ],
  [{ ...APPLIED, plugins: { GeoIP: { version: '1', schemas: [] } } }, 'plugins.GeoIP', 'invalid_input'],
  [{ ...APPLIED, plugins: { geoip: { schemas: [] } } }, 'plugins.geoip.version', 'required'],
  [
    { ...APPLIED, plugins: { geoip: { version: '1', schemas: [-1] } } },
    'plugins.geoip.schemas.0',
    'min_value',
  ],
  [
    {
      ...APPLIED,
      plugins: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, { version: '1', schemas: [] }])),
    },
    'plugins',
    'max_value',
  ],
] as const)('the report %j is rejected', async ([body, attr, code], { call }) => {
  expect(await call('PUT', `${ALL}/shop-1`, { body })).toMatchObject({ status: 400, body: { code, attr } });
  expect((await call<Wire<'runtimePage'>>('GET', ALL)).body.count).toBe(0);
});

test.for(['a'.repeat(129), 'a%20b', 'a%2Fb', 'caf%C3%A9'])(
  '%s is not a valid runtime name',
  async (name, { call }) => {
    const rejected = await call('PUT', `${ALL}/${name}`, { body: APPLIED });
    expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_input', attr: 'instance' } });
    expect((await call('DELETE', `${ALL}/${name}`)).status).toBe(404);
  },
);

test('the longest name and a name of dots and hyphens are valid', async ({ call }) => {
  for (const name of ['a'.repeat(128), 'A.b_c-9'])
    expect((await call('PUT', `${ALL}/${name}`, { body: APPLIED })).status).toBe(204);
  expect((await call<Wire<'runtimePage'>>('GET', ALL)).body.count).toBe(2);
});
