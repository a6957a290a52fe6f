import type { WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { OPERATOR } from '@plugin-config/domain';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const HOST = { key: 'host', type: 'string' };
const NEEDS_HOST = { ...HOST, required: true };

/** Ids of plugins that no other test registers. */
let plugins = 90_000;

function registering(call: Call, plugin: number) {
  return async (field: object, query = '') => {
    const body = { name: 'GeoIP', config_schema: [field] };
    return (await call<Wire<'registrationResult'>>('PUT', `/../../plugins/${plugin}${query}`, { body })).body;
  };
}

const idsIn = async (call: Call, query: string) =>
  (await call<WireConfigRecordPage>('GET', `/plugin_configs?${query}`)).body.results.map(({ id }) => id);

test('a registration that makes an enabled record invalid says so, and the record is marked everywhere', async ({
  call,
}) => {
  const plugin = plugins++;
  const register = registering(call, plugin);
  const body = { plugin, enabled: true, name: 'Shop' };
  const { body: record } = await call('POST', '/plugin_configs', { body });
  await call('POST', '/plugin_configs', { body: { plugin } });
  const feed = async () => (await call<Wire<'runtimeConfiguration'>>('GET', '/plugin_configs/runtime')).body;
  const valid = async () => (await call('GET', `/plugin_configs/${record.id}`)).headers.get('x-config-valid');
  const overview = async () => (await call<Wire<'overview'>>('GET', '/overview')).body.families[0];

  expect(await register(HOST)).toMatchObject({ name: 'GeoIP', records: { total: 2, invalid: 0 } });
  const before = await feed();
  expect(before.results).toMatchObject([{ id: record.id, valid: true }]);
  expect(await idsIn(call, 'valid=false')).toEqual([]);
  expect(await overview()).toMatchObject({ enabled: 1, invalid: 0 });
  expect(await valid()).toBeNull();

  expect(await register(NEEDS_HOST)).toMatchObject({ records: { total: 2, invalid: 1 } });
  const after = await feed();
  expect(after.results).toMatchObject([{ id: record.id, valid: false }]);
  expect(after.version).not.toBe(before.version);
  expect(await idsIn(call, 'valid=false')).toEqual([record.id]);
  expect(await idsIn(call, 'valid=true')).not.toContain(record.id);
  expect(await overview()).toMatchObject({ enabled: 1, invalid: 1 });
  expect(await valid()).toBe('false');

  await call('PUT', `/plugin_configs/${record.id}/config`, { body: { host: 'a.example' } });
  expect((await feed()).results).toMatchObject([{ id: record.id, valid: true }]);
  expect(await idsIn(call, 'valid=false')).toEqual([]);
  expect(await overview()).toMatchObject({ invalid: 0 });
});

test('a dry registration answers the same, and changes nothing', async ({ call }) => {
  const plugin = plugins++;
  const register = registering(call, plugin);
  await call('POST', '/plugin_configs', { body: { plugin, enabled: true } });
  await register(HOST);
  const dry = await register(NEEDS_HOST, '?dry_run=true');
  expect(dry.records).toEqual({ total: 1, invalid: 1 });
  expect(await idsIn(call, 'valid=false')).toEqual([]);
  expect(await register(NEEDS_HOST)).toEqual(dry);
  expect(await idsIn(call, 'valid=false')).toHaveLength(1);
});

test('a registration may also clear marks: a required entry with a default is not missing', async ({
  call,
}) => {
  const plugin = plugins++;
  const register = registering(call, plugin);
  await call('POST', '/plugin_configs', { body: { plugin, enabled: true } });
  await register(HOST);
  await register(NEEDS_HOST);
  expect(await idsIn(call, 'valid=false')).toHaveLength(1);
  expect(await register({ ...NEEDS_HOST, default: 'a' })).toMatchObject({
    records: { total: 1, invalid: 0 },
  });
  expect(await idsIn(call, 'valid=false')).toEqual([]);
});

test('the records of a plugin are listed over all projects of the key, and over no others', async ({
  call,
  service,
  project,
}) => {
  const plugin = plugins++;
  const other = await service.ports.projects.create(
    { name: 'Other' },
    {
      actor: OPERATOR,
      requestId: null,
      at: new Date(),
    },
  );
  const elsewhere = await callTo(service, `/api/projects/${other.id}`);
  const attach = async (to: Call, name: string) =>
    (await to('POST', '/plugin_configs', { body: { plugin, enabled: true, name } })).body;
  const [first, second] = [await attach(call, 'Shop'), await attach(elsewhere, 'Other')];
  await registering(call, plugin)(HOST);
  await registering(call, plugin)(NEEDS_HOST);
  await call('PUT', `/plugin_configs/${first.id}/config`, { body: { host: 'a.example' } });
  const path = `/api/plugins/${plugin}/records`;
  const list = async (query = '', options = {}) =>
    (await (await callTo(service, '', options))<Wire<'attachedRecordPage'>>('GET', path + query)).body;
  const shown = { family: 'plugin_configs', enabled: true };
  const [one, two] = [
    { ...shown, project: { id: project.id }, record: { id: first.id, name: 'Shop' }, valid: true },
    {
      ...shown,
      project: { id: other.id, external_id: null, name: 'Other' },
      record: { id: second.id, name: 'Other' },
      valid: false,
    },
  ];
  expect(await list()).toMatchObject({ count: 2, results: [one, two] });
  expect(await list('?limit=1')).toMatchObject({
    count: 2,
    next: `${service.url}${path}?limit=1&offset=1`,
    results: [one],
  });
  expect(await list('?valid=false')).toMatchObject({ count: 1, results: [two] });
  const own = { scopes: ['plugin:read'], projectIds: [project.id] };
  expect(await list('', own)).toMatchObject({ count: 1, results: [one] });
  expect(await list('?valid=false', own)).toEqual({ count: 0, next: null, previous: null, results: [] });
});

test('a list of records rejects wrong parameters and needs the scope plugin:read', async ({ service }) => {
  const reader = await callTo(service, '', { scopes: ['plugin:read'] });
  for (const [query, attr] of [
    ['valid=maybe', 'valid'],
    ['limit=0', 'limit'],
  ]) {
    const { status, body } = await reader<WireErrorBody>('GET', `/api/plugins/7/records?${query}`);
    expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', attr]);
  }
  expect((await reader('GET', '/api/plugins/x/records')).status).toBe(404);
  const other = await callTo(service, '', { scopes: ['plugin_log:write'] });
  expect((await other('GET', '/api/plugins/7/records')).status).toBe(403);
});

async function callTo(service: Service, base: string, options = {}): Promise<Call> {
  const { token } = await service.issueKey(options);
  return caller({ base: service.url + base, token });
}
