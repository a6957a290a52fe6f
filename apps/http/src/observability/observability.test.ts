import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { rawBytes } from '../testing/raw-request.ts';
import { test, type Service } from '../testing/service.fixture.ts';

const UUID = /^[0-9a-f-]{36}$/;

const lines = ({ log }: Service) => log.map((line) => JSON.parse(line));
const lineOf = (service: Service, id: string) => lines(service).find(({ request_id: its }) => its === id);

test('a well-formed request id from the caller is used', async ({ call, service }) => {
  for (const id of ['abc', 'A.b_c-9', 'x'.repeat(128)]) {
    const { headers } = await call('GET', '/plugin_configs', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toBe(id);
    expect(lineOf(service, id)).toMatchObject({ status: 200 });
  }
});

test.for(['', 'a b', 'x'.repeat(129), 'a;b', '<x>', 'ü'])(
  'the request id "%s" is replaced',
  async (id, { call }) => {
    const { headers } = await call('GET', '/plugin_configs', { headers: { 'x-request-id': encodeURI(id) } });
    expect(headers.get('x-request-id')).toMatch(UUID);
  },
);

test('every response has a unique request id', async ({ call, service }) => {
  const base = service.url;
  const open = caller({ base, token: null });
  const responses = [
    await open('GET', '/livez'),
    await open('GET', '/nothing'),
    await open('PUT', '/livez'),
    await open('GET', '/api/projects/%zz'),
    await open('GET', '/api/projects'),
    await call('POST', '/plugin_configs', { body: '{' }),
    await call('POST', '/plugin_configs', { body: 'x'.repeat(2 ** 21) }),
  ];
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await rawBytes(base, 'NONSENSE\r\n\r\n')).head).toMatch(/x-request-id: [0-9a-f-]{36}/);
});

test('the log has one line per request, without its query', async ({ call, service, project }) => {
  const { headers, body } = await call('POST', '/plugin_configs?search=private', { body: { plugin: 1 } });
  const id = headers.get('x-request-id') ?? '';
  expect(lineOf(service, id)).toEqual({
    level: 'info',
    time: expect.any(String),
    service: 'http',
    request_id: id,
    method: 'POST',
    path: `/api/projects/${project.id}/plugin_configs`,
    route: '/api/projects/:project_id/plugin_configs',
    status: 201,
    duration_ms: expect.any(Number),
    key_id: expect.any(Number),
    msg: 'request',
  });
  const read = await call('GET', `/plugin_configs/${body.id}?search=private`);
  expect(lineOf(service, read.headers.get('x-request-id') ?? '')).toMatchObject({
    level: 'debug',
    status: 200,
  });
  const dryRun = await call('DELETE', `/plugin_configs/${body.id}?dry_run=true`);
  expect(lineOf(service, dryRun.headers.get('x-request-id') ?? '')).toMatchObject({ dry_run: true });
  const rejected = await call('GET', '/plugin_configs?limit=private');
  expect(lineOf(service, rejected.headers.get('x-request-id') ?? '')).toMatchObject({
    level: 'info',
    status: 400,
  });
  expect(service.log.filter((line) => line.includes('private'))).toEqual([]);
});

test('the log never contains a key, wherever the caller puts it', async ({ call, service, project }) => {
  const { token } = await service.issueKey();
  await call('GET', '/plugin_configs', { token });
  await call('GET', `/plugin_configs/${token}`, { token });
  await call('GET', '/plugin_configs', {
    token: null,
    headers: { authorization: token, 'x-request-id': token },
  });
  await call('GET', `/../${token}?key=${token}`, { token: `${token}x` });
  await call('POST', '/plugin_configs', { body: `{"plugin": ${token}` });
  expect(
    service.log.some((line) => line.includes(`/projects/${project.id}/plugin_configs/phx_[redacted]`)),
  ).toBe(true);
  expect(service.log.filter((line) => line.includes(token))).toEqual([]);
});

test('an unexpected error is logged, and its details are hidden from the caller', async ({
  call,
  service,
}) => {
  const { list } = service.ports.records;
  const failure = new TypeError('cannot read the postgres://me:pass@db/x', {
    cause: new Error('select 1 from secret'),
  });
  Object.assign(service.ports.records, { list: () => Promise.reject(failure) });
  try {
    const { status, headers, body, text } = await call('GET', '/plugin_configs?search=unforeseen');
    const error = { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null };
    expect([status, body]).toEqual([500, error]);
    expect(text).not.toContain('secret');
    const line = lineOf(service, headers.get('x-request-id') ?? '');
    expect(line).toMatchObject({
      level: 'error',
      status: 500,
      err: { type: 'TypeError', cause: { type: 'Error' } },
    });
    expect(line.err.stack).toContain('observability.test.ts');
    expect(JSON.stringify(line)).not.toContain('pass');
  } finally {
    Object.assign(service.ports.records, { list });
  }
});

test('requests are counted and timed by method, route and status', async ({ call, service }) => {
  await call('GET', '/plugin_configs/abc');
  await call('GET', '/nothing/at/all');
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const route = '/api/projects/:project_id/plugin_configs/:id';
  expect(text).toMatch(new RegExp(`http_requests_total{method="GET",route="${route}",status="404"} [1-9]`));
  expect(text).toMatch(/http_requests_total{method="GET",route="unknown",status="404"} [1-9]/);
  expect(text).toMatch(/http_request_duration_seconds_bucket{le="\+Inf",method="GET",route="unknown"} [1-9]/);
  expect(text).toMatch(/http_request_duration_seconds_count{method="GET",route="unknown"} [1-9]/);
  expect(text).toMatch(/process_cpu_seconds_total \d/);
  expect(text).toMatch(/response_cache_hits_total \d/);
  expect(text).toMatch(/database_connections [1-9]/);
});

test('the process is alive and ready without a key', async ({ service }) => {
  for (const path of ['/livez', '/livez/', '/readyz']) {
    const response = await fetch(service.url + path);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  }
});
