import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';

const NOT_PROVIDED = {
  type: 'authentication_error',
  code: 'not_authenticated',
  detail: 'Authentication credentials were not provided.',
  attr: null,
};
const INVALID = {
  type: 'authentication_error',
  code: 'authentication_failed',
  detail: 'Personal API key found in request Authorization header is invalid.',
  attr: null,
};
const UNKNOWN = `phx_${'a'.repeat(43)}`;

test.for(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer   ', `Token ${UNKNOWN}`, UNKNOWN])(
  'the header "%s" has no bearer key',
  async (authorization, { call }) => {
    const { status, headers, body } = await call('GET', '/plugin_configs', {
      token: null,
      headers: { authorization },
    });
    expect([status, body]).toEqual([401, NOT_PROVIDED]);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  },
);

test.for([UNKNOWN, 'phx_short', `${UNKNOWN}a`, `${UNKNOWN} x`, 'phx_' + '-'.repeat(43), "' or 1=1"])(
  'the key "%s" is invalid',
  async (token, { call }) => {
    const { status, headers, body } = await call('GET', '/plugin_configs', { token });
    expect([status, body]).toEqual([401, INVALID]);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  },
);

test('a malformed key is rejected without a database query', async ({ call, service }) => {
  service.statements.length = 0;
  await call('GET', '/plugin_configs', { token: 'phx_short' });
  await call('GET', '/plugin_configs', { token: null });
  expect(service.statements).toEqual([]);
});

test.for(['bearer', 'BEARER', 'Bearer  ', 'bEaReR \t '])(
  'the scheme "%s" is accepted',
  async (scheme, { call, service }) => {
    const { token } = await service.issueKey();
    const headers = { authorization: `${scheme} ${token}  ` };
    expect(await call('GET', '/plugin_configs', { token: null, headers })).toMatchObject({ status: 200 });
  },
);

test('keys are only accepted in the header', async ({ call, service }) => {
  const { token } = await service.issueKey();
  const query = `?personal_api_key=${token}&api_key=${token}`;
  const sent = {
    token: null,
    body: { plugin: 1, personal_api_key: token },
    headers: { cookie: `token=${token}` },
  };
  expect((await call<WireErrorBody>('POST', `/plugin_configs${query}`, sent)).body).toEqual(NOT_PROVIDED);
});
