import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Call } from '../testing/caller.ts';

const create = async (call: Call, fields: object = {}, family = 'plugin_configs') =>
  (await call('POST', `/${family}`, { body: { plugin: 1, ...fields } })).body;

test.for(['plugin_configs', 'pipeline_transformation_configs'])(
  'in %s, absent fields get their defaults, and the position does not change',
  async (family, { call }) => {
    const before = await create(call, { name: 'a', description: 'b', enabled: true, order: 5 }, family);
    const path = `/${family}/${before.id}`;
    const { status, body, headers } = await call('PUT', path, { body: { plugin: 2 } });
    const { updated_at } = body;
    const fields = { plugin: 2, enabled: false, name: null, description: null, deleted: false, order: 5 };
    expect([status, body]).toEqual([200, { ...before, ...fields, updated_at }]);
    const read = await call('GET', path);
    expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')]);
  },
);

test('sending back the record as read changes nothing', async ({ call }) => {
  const before = await create(call, { name: 'a', enabled: true });
  const path = `/plugin_configs/${before.id}`;
  const same = await call('PUT', path, { body: before });
  expect([same.status, same.body]).toEqual([200, before]);
  expect((await call<{ count: number }>('GET', `${path}/activity`)).body.count).toBe(1);
});

test('a replacement restores a deleted record unless `deleted` is true', async ({ call }) => {
  const { id, order } = await create(call, { enabled: true });
  const path = `/plugin_configs/${id}`;
  await call('DELETE', path);
  const deleted = await call('PUT', path, { body: { plugin: 1, enabled: true, deleted: true } });
  expect(deleted.body).toMatchObject({ deleted: true, enabled: false });
  const restored = await call('PUT', path, { body: { plugin: 1, enabled: true } });
  expect(restored.body).toMatchObject({ deleted: false, enabled: true, order });
});

test('a body without a plugin is rejected and changes nothing', async ({ call }) => {
  const before = await create(call, { name: 'a' });
  const path = `/plugin_configs/${before.id}`;
  for (const body of [{}, { name: 'b' }]) {
    const rejected = await call<WireErrorBody>('PUT', path, { body });
    expect([rejected.status, rejected.body]).toMatchObject([400, { code: 'required', attr: 'plugin' }]);
  }
  expect((await call('GET', path)).body).toEqual(before);
});

test('an outdated tag is rejected, and the configuration does not change', async ({ call }) => {
  const { id } = await create(call);
  const path = `/plugin_configs/${id}`;
  const { headers } = await call('GET', path);
  const tag = headers.get('etag') ?? '';
  await call('PUT', `${path}/config`, { body: { host: 'a' } });
  const outdated = await call('PUT', path, { body: { plugin: 1 }, headers: { 'if-match': tag } });
  expect(outdated.status).toBe(412);
  expect((await call('PUT', path, { body: { plugin: 1 } })).body.config).toBe('{"host":"a"}');
});
