import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Call } from '../testing/caller.ts';

const create = async (call: Call, fields: object = {}) =>
  (await call('POST', '/plugin_configs', { body: { plugin: 1, ...fields } })).body;

test('only the given fields change', async ({ call }) => {
  const before = await create(call, { name: 'a', description: 'b', enabled: true, order: 5 });
  const { status, body } = await call('PATCH', `/plugin_configs/${before.id}`, {
    body: { name: null, plugin: 2 },
  });
  expect([status, body]).toEqual([200, { ...before, name: null, plugin: 2, updated_at: body.updated_at }]);
  expect(body.updated_at > before.updated_at).toBe(true);
  expect((await call('GET', `/plugin_configs/${before.id}`)).body).toEqual(body);
});

test('many concurrent changes to one record are all stored', async ({ call }) => {
  const { id } = await create(call);
  const path = `/plugin_configs/${id}`;
  const names = Array.from({ length: 40 }, (_, n) => `name ${n}`);
  const changes = await Promise.all(names.map((name) => call('PATCH', path, { body: { name } })));
  expect(changes.map(({ status, body }) => [status, body.name])).toEqual(names.map((name) => [200, name]));
  const { body } = await call<{ count: number }>('GET', `${path}/activity`);
  expect(body.count).toBe(1 + names.length);
});

test('a client may send back the record it read', async ({ call }) => {
  const before = await create(call, { name: 'a' });
  const path = `/plugin_configs/${before.id}`;
  const { headers } = await call('GET', path);
  const same = await call('PATCH', path, { body: before });
  expect([same.status, same.body, same.headers.get('etag')]).toEqual([200, before, headers.get('etag')]);
  expect((await call<{ count: number }>('GET', `${path}/activity`)).body.count).toBe(1);
});

test('deleting disables a record; restoring keeps its order and leaves it disabled', async ({ call }) => {
  const { id } = await create(call, { enabled: true, order: 7 });
  const path = `/plugin_configs/${id}`;
  expect((await call('PATCH', path, { body: { deleted: true } })).body).toMatchObject({
    deleted: true,
    enabled: false,
  });
  expect((await call<WireErrorBody>('PATCH', path, { body: { enabled: true } })).body).toMatchObject({
    code: 'invalid_input',
    attr: 'enabled',
  });
  expect((await call('PATCH', path, { body: { deleted: null, enabled: true } })).status).toBe(400);
  expect((await call('PATCH', path, { body: { deleted: false } })).body).toMatchObject({
    deleted: false,
    enabled: false,
    order: 7,
  });
  await call('DELETE', path);
  expect((await call('PATCH', path, { body: { deleted: false, enabled: true } })).body).toMatchObject({
    deleted: false,
    enabled: true,
  });
});

test('deleting and enabling at once stores a deleted, disabled record', async ({ call }) => {
  const { id } = await create(call);
  const { body } = await call('PATCH', `/plugin_configs/${id}`, { body: { deleted: true, enabled: true } });
  expect(body).toMatchObject({ deleted: true, enabled: false });
});

test('a delete is soft and can be repeated', async ({ call }) => {
  const { id } = await create(call, { enabled: true });
  for (const _ of [1, 2]) {
    const { status, text, headers } = await call('DELETE', `/plugin_configs/${id}/`);
    expect([status, text, headers.get('content-type'), headers.get('content-length')]).toEqual([
      204,
      '',
      null,
      null,
    ]);
  }
  expect((await call('GET', `/plugin_configs/${id}`)).body).toMatchObject({ deleted: true, enabled: false });
  expect((await call<{ count: number }>('GET', `/plugin_configs/${id}/activity`)).body.count).toBe(2);
});

test('an update stores the given order and moves no other record', async ({ call }) => {
  const [a, b] = [await create(call), await create(call)];
  await call('PATCH', `/plugin_configs/${b.id}`, { body: { order: a.order } });
  expect((await call('GET', `/plugin_configs/${a.id}`)).body.order).toBe(a.order);
});

test.for([
  [{ plugin: null }, 'null', 'plugin'],
  [{ order: 1.5 }, 'invalid_input', 'order'],
  [{ enabled: 'yes' }, 'invalid_input', 'enabled'],
  [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
] as const)('%j is rejected: %s, %s', async ([body, code, attr], { call }) => {
  const { id } = await create(call);
  const { status, body: error } = await call<WireErrorBody>('PATCH', `/plugin_configs/${id}`, { body });
  expect([status, error.type, error.code, error.attr]).toEqual([400, 'validation_error', code, attr]);
});

test.for([
  'abc',
  '0',
  '-1',
  '1.0',
  '1e2',
  '9007199254740993',
  '99999999999999999999',
  '2147483647',
  '%00',
  '%20',
  'null',
  '１',
])('the id %s is not found', async (id, { call }) => {
  const requests = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/activity'],
    ['GET', '/frontend'],
    ['POST', '/job'],
    ['PUT', '/config'],
    ['GET', '/logs'],
  ] as const;
  for (const [method, path] of requests) {
    const { status, body } = await call<WireErrorBody>(method, `/plugin_configs/${id}${path}`);
    const error = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null };
    expect([method, status, body]).toEqual([method, 404, error]);
  }
});
