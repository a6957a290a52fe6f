import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';

const MIB = 1024 * 1024;

/** Returns the body of a plan for one record with this configuration. */
const planOf = (config: string): string =>
  `{"document": {"format": 1, "manager": "a", "plugin_configs": [{"key": "a", "plugin": 7, "config": ${config}}]}}`;
const PLANNED_CONFIG = 'plugin_configs[0].config';

test.for([
  '{',
  '{"plugin": 1',
  '{"plugin": 1}}',
  "{'plugin': 1}",
  'plugin=1',
  '\u{feff}\u{feff}{}',
  '{"a":NaN}',
])('the body %s is invalid JSON', async (body, { call }) => {
  const { status, body: error } = await call<WireErrorBody>('POST', '/plugin_configs', { body });
  expect([status, error.type, error.code, error.attr]).toEqual([400, 'invalid_request', 'parse_error', null]);
  expect(error.detail).toMatch(/^JSON parse error - .{3,250}$/);
});

test.for(['null', '[]', '1', '"text"', 'true', '[{"plugin":1}]'])(
  'the body %s is not an object',
  async (body, { call }) => {
    const ways = [
      ['POST', '/plugin_configs'],
      ['PATCH', '/plugin_configs/rearrange'],
      ['PATCH', '/plugin_configs/1'],
      ['POST', '/plugin_configs/1/job'],
      ['PUT', '/plugin_configs/1/config'],
    ] as const;
    for (const [method, path] of ways) {
      const { status, body: error } = await call<WireErrorBody>(method, path, { body });
      expect([status, error.type, error.code, error.attr]).toEqual([
        400,
        'validation_error',
        'invalid_input',
        null,
      ]);
    }
  },
);

test('a body that is not UTF-8 is rejected', async ({ service, call, project }) => {
  const { token } = await service.issueKey();
  const response = await fetch(`${service.url}/api/projects/${project.id}/plugin_configs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  });
  expect([response.status, await response.json()]).toMatchObject([400, { code: 'parse_error' }]);
  expect((await call('GET', '/plugin_configs')).status).toBe(200);
});

test('an empty body counts as an empty object', async ({ call }) => {
  const emptyBodies = [{}, { body: '' }, { body: '', headers: { 'content-type': 'text/plain' } }];
  for (const empty of emptyBodies) {
    const { status, body } = await call<WireErrorBody>('POST', '/plugin_configs', empty);
    expect([status, body.code, body.attr]).toEqual([400, 'required', 'plugin']);
  }
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  for (const empty of emptyBodies) {
    const { status, body } = await call('PATCH', `/plugin_configs/${record.id}`, empty);
    expect([status, body]).toEqual([200, record]);
  }
});

test.for([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/xml',
  'json',
  'application/json; charset=latin1',
  '/',
  ';',
])('the type "%s" is not supported', async (type, { call }) => {
  const sent = { body: '{"plugin": 1}', headers: { 'content-type': type } };
  const { status, body } = await call<WireErrorBody>('POST', '/plugin_configs', sent);
  expect([status, body.type, body.code, body.attr]).toEqual([
    415,
    'invalid_request',
    'unsupported_media_type',
    null,
  ]);
});

test('a body without a content type is not supported', async ({ service, project }) => {
  const { token } = await service.issueKey();
  for (const body of [Buffer.from('{"plugin": 1}'), new Blob(['{"plugin": 1}']).stream()]) {
    const response = await fetch(`${service.url}/api/projects/${project.id}/plugin_configs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
      duplex: 'half',
    });
    expect([response.status, await response.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
  }
});

test.for([
  'application/json',
  'application/json;charset=utf-8',
  'Application/JSON; charset="UTF-8"',
  'application/json; indent=2',
])('the type "%s" is supported', async (type, { call }) => {
  const sent = { body: '{"plugin": 1}', headers: { 'content-type': type } };
  expect((await call('POST', '/plugin_configs', sent)).status).toBe(201);
});

test('a body is limited to 1 MiB, with or without Content-Length', async ({ call, service, project }) => {
  const body = (bytes: number): string =>
    JSON.stringify({ plugin: 1, x: 'a'.repeat(bytes - 20) }).padEnd(bytes);
  expect((await call('POST', '/plugin_configs', { body: body(MIB) })).status).toBe(201);
  const { status, body: error } = await call<WireErrorBody>('POST', '/plugin_configs', {
    body: body(MIB + 1),
  });
  expect([status, error.type, error.code]).toEqual([413, 'invalid_request', 'payload_too_large']);
  const { token } = await service.issueKey();
  const response = await fetch(`${service.url}/api/projects/${project.id}/plugin_configs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: new Blob([body(3 * MIB)]).stream(),
    duplex: 'half',
  });
  expect([response.status, await response.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
});

test('deep nesting is rejected or ignored, never fatal', async ({ call }) => {
  const nestedArrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const deep = nestedArrays(490);
  const { body: record } = await call('POST', '/plugin_configs', {
    body: `{"plugin": 1, "unknown": ${deep}}`,
  });
  const path = `/plugin_configs/${record.id}`;
  const configured = await call<WireErrorBody>('PUT', `${path}/config`, { body: `{"deep": ${deep}}` });
  expect([configured.status, configured.body.code, configured.body.attr]).toEqual([
    400,
    'invalid_input',
    'config',
  ]);
  const planned = await call<WireErrorBody>('POST', '/configuration/plan', {
    body: planOf(`{"deep": ${deep}}`),
  });
  expect([planned.status, planned.body.code, planned.body.attr]).toEqual([
    400,
    'invalid_input',
    PLANNED_CONFIG,
  ]);
  const deeper = await call<WireErrorBody>('PUT', `${path}/config`, {
    body: `{"deep": ${nestedArrays(5_000)}}`,
  });
  expect([deeper.status, deeper.body.code]).toEqual([400, 'parse_error']);
});

test('a body is limited to 32,768 values at any depth', async ({ call }) => {
  const listOf = (length: number) => Array.from({ length }, () => [1]);
  const send = (length: number) =>
    call<WireErrorBody>('POST', '/plugin_configs', { body: { plugin: 1, unknown: listOf(length) } });
  expect((await send(16_380)).status).toBe(201);
  const { status, body } = await send(16_390);
  expect([status, body.code, body.attr]).toEqual([413, 'payload_too_large', null]);
});

const INEXACT = ['9007199254740993', '0.1000000000000000055511151231257827', '1e400', '-1e-400'];

test.for(INEXACT)(
  'the number %s is rejected in a stored field, and the error quotes it',
  async (number, { call }) => {
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
    const path = `/plugin_configs/${record.id}`;
    const rejected = [
      await call<WireErrorBody>('PUT', `${path}/config`, { body: `{"fine": 1, "limit": ${number}}` }),
      await call<WireErrorBody>('PUT', `${path}/config`, { body: `{"limit": {"deep": [${number}]}}` }),
      await call<WireErrorBody>('POST', '/configuration/plan', {
        body: planOf(`{"limit": {"deep": [${number}]}}`),
      }),
    ];
    const detail = `The number ${number} cannot be kept exactly: send it as a string.`;
    expect(rejected.map(({ status, body }) => [status, body.code, body.attr, body.detail])).toEqual([
      [400, 'invalid_input', 'limit', detail],
      [400, 'invalid_input', 'limit', detail],
      [400, 'invalid_input', `${PLANNED_CONFIG}.limit`, detail],
    ]);
    expect((await call('GET', path)).body.config).toBe('{}');
    const body = `{"name": "kept", "id": ${number}}`;
    expect((await call('PATCH', path, { body })).body).toMatchObject({ name: 'kept', id: record.id });
  },
);

test('the error names the field that does not accept the number', async ({ call }) => {
  const { status, body } = await call<WireErrorBody>('POST', '/plugin_configs', {
    body: '{"plugin": 1e400}',
  });
  expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', 'plugin']);
});

test.for(['delete', 'cancel', 'restore'] as const)(
  'a write without a body (%s) ignores JSON and rejects other types',
  async (name, { call }) => {
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
    const path = `/plugin_configs/${record.id}`;
    const job = (await call('POST', `${path}/job`)).headers.get('location')?.split('/').at(-1);
    const [method, address, status] = {
      delete: ['DELETE', path, 204] as const,
      cancel: ['DELETE', `${path}/jobs/${job}`, 204] as const,
      restore: ['POST', `${path}/revisions/1/restore`, 200] as const,
    }[name];
    expect((await call(method, address, { body: '{"a": ' })).status).toBe(400);
    const headers = { 'content-type': 'application/yaml' };
    expect((await call(method, address, { body: 'a: 1', headers })).status).toBe(415);
    expect((await call(method, address, { body: { plugin: 'none' } })).status).toBe(status);
  },
);
