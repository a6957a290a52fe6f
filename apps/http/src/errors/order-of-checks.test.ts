import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';

const UNKNOWN = `phx_${'a'.repeat(43)}`;
const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);

test('checks run in the documented order', async ({ call, service }) => {
  const path = '/plugin_configs/2147483647';
  const all = { body: TOO_LARGE, headers: { 'content-type': 'text/plain', 'if-match': '"1-stale"' } };
  const { token: reader } = await service.issueKey({ scopes: ['plugin:read'] });
  const responses = [
    await call<WireErrorBody>('PATCH', `/nothing${path}`, { ...all, token: null }),
    await call<WireErrorBody>('POST', path, { headers: all.headers, token: null }),
    await call<WireErrorBody>('PATCH', path, { ...all, token: null }),
    await call<WireErrorBody>('PATCH', path, { ...all, token: UNKNOWN }),
    await call<WireErrorBody>('PATCH', path, { ...all, token: reader }),
    await call<WireErrorBody>('PATCH', path, all),
    await call<WireErrorBody>('PATCH', path, { body: TOO_LARGE }),
    await call<WireErrorBody>('PATCH', path, { body: '{' }),
    await call<WireErrorBody>('PATCH', path, { body: { order: -1 } }),
    await call<WireErrorBody>('PATCH', path, { body: {}, headers: { 'if-match': '"1-stale"' } }),
  ];
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [401, 'not_authenticated'],
    [401, 'authentication_failed'],
    [403, 'permission_denied'],
    [415, 'unsupported_media_type'],
    [413, 'payload_too_large'],
    [400, 'parse_error'],
    [400, 'min_value'],
    [404, 'not_found'],
  ]);
});

test('the project is checked before the scope', async ({ call, service }) => {
  const { token } = await service.issueKey({ scopes: ['plugin_log:write'] });
  const { body } = await call<WireErrorBody>('GET', '/../2000000000/plugin_configs', { token });
  expect(body.detail).toBe('Project not found.');
});

test('the query is checked before the record is looked up', async ({ call }) => {
  for (const path of ['/plugin_configs/2147483647/activity', '/plugin_configs/2147483647/logs']) {
    const { status, body } = await call<WireErrorBody>('GET', `${path}?limit=x`);
    expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', 'limit']);
    expect((await call('GET', path)).status).toBe(404);
  }
});

test('a stale tag is reported before an invalid state of the record', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1, deleted: true } });
  const path = `/plugin_configs/${record.id}`;
  const stale = { 'if-match': '"99-x"' };
  expect((await call('PATCH', path, { body: { enabled: true }, headers: stale })).status).toBe(412);
  const { status, body } = await call<WireErrorBody>('PATCH', path, { body: { enabled: true } });
  expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', 'enabled']);
});
