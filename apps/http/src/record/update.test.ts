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

test('a client may send back the record it read', async ({ call }) => {
  const before = await create(call, { name: 'a' });
  const path = `/plugin_configs/${before.id}`;
  const { headers } = await call('GET', path);
  const same = await call('PATCH', path, { body: before });
  expect([same.status, same.body, same.headers.get('etag')]).toEqual([200, before, headers.get('etag')]);
  expect((await call<{ count: number }>('GET', `${path}/activity`)).body.count).toBe(1);
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
