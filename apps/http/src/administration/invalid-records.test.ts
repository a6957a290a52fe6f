import type { WireConfigRecordPage } from '@plugin-config/contract';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
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
